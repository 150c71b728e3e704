package dev.laurel.deploy.tools.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.core.compare.ComparedUser;
import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what users of one state have at one moment, as the API would show it: under the newest rules of that state,
 * with all timers due. Used by one thread.
 */
final class ComparedUserReader {

    private final ComparedState state;
    private final LeaderboardEntries entries;
    private final long nowMs;

    ComparedUserReader(ComparedState state, long nowMs) {
        this.state = state;
        this.entries = new LeaderboardEntries(state, nowMs);
        this.nowMs = nowMs;
    }

    /**
     * Returns null if the user does not exist.
     *
     * @param key bytes of the user key
     */
    @Nullable
    ComparedUser read(int partition, byte[] key) {
        var reader = new UserReader(name -> state.store(name, partition));
        UserState stored = reader.user(key);
        if (stored == null) {
            return null;
        }
        UserKey user = UserKey.parse(key);
        CompiledRuleset rules = state.rulesets().newest(user.tenant());
        UserHistory history = reader.historyOf(key, version -> state.rulesets().get(user.tenant(), version));
        UserState now = UserEngine.advance(user, stored, rules, history, nowMs).state();
        return ComparedUser.of(now, rules, history, nowMs, entries.of(user, now, rules));
    }

    /**
     * Reads the entries of users of one state on leaderboards at one moment: on active leaderboards, in the run of the
     * user's day, in the group of the user's attributes. Groups are read as a whole and cached, so a leaderboard of
     * all users is read once. Used by one thread.
     */
    static final class LeaderboardEntries {

        /** Users in all cached groups, about 50 MB; a group has at most 1,000. */
        private static final int MAX_KEPT = 200_000;

        private record Spot(int rank, BigDecimal value) {}

        private final ComparedState state;
        private final long nowMs;
        private final Cache<LeaderboardGroup, Map<UserId, Spot>> groups = Caffeine.newBuilder()
                .maximumWeight(MAX_KEPT)
                .weigher((LeaderboardGroup _, Map<UserId, Spot> users) -> 1 + users.size())
                .executor(Runnable::run)
                .build();

        LeaderboardEntries(ComparedState state, long nowMs) {
            this.state = state;
            this.nowMs = nowMs;
        }

        /**
         * Returns entries by leaderboard number.
         *
         * @param user state of the user at that moment
         */
        Map<Integer, Entry> of(UserKey key, UserState user, CompiledRuleset rules) {
            var entries = new HashMap<Integer, Entry>();
            int today = LocalDays.dayOf(nowMs, rules.zoneOf(user.profile().tz()));
            for (LeaderboardRules board : rules.openBoards()) {
                int run = board.runs().runOf(today);
                List<String> values = board.groupOf(user.profile().attributes());
                if (run != Runs.NONE && values != null) {
                    Spot spot = groups.get(
                                    new LeaderboardGroup(key.tenant(), board.number(), run, values),
                                    group -> read(board, group))
                            .get(key.user());
                    BigDecimal own = ownValue(user, board.number(), run);
                    if (spot != null) {
                        entries.put(board.number(), new Entry(board.board().key(), values, spot.rank(), spot.value()));
                    } else if (own.signum() > 0) {
                        entries.put(board.number(), new Entry(board.board().key(), values, Entry.NO_RANK, own));
                    }
                }
            }
            return entries;
        }

        /** Returns the user's value, whether or not the leaderboard is full. */
        private static BigDecimal ownValue(UserState user, int board, int run) {
            LeaderboardState state = user.boards().get(board);
            return state == null || state.run() != run ? BigDecimal.ZERO : state.value();
        }

        private Map<UserId, Spot> read(LeaderboardRules rules, LeaderboardGroup group) {
            Ranking ranking = state.ranking(rules, group);
            var spots = new HashMap<UserId, Spot>();
            for (int rank = 1; rank <= ranking.size(); rank++) {
                Standing standing = ranking.at(rank);
                spots.put(standing.user(), new Spot(rank, standing.value()));
            }
            return spots;
        }
    }
}
