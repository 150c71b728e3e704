package dev.laurel.processors.ledger;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.TeamRanking.TeamPart;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardKeys;
import dev.laurel.schemas.key.TenantId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What the users of one partition of the log add to the scores of teams: each counts, also one who does not lead. The parts follow from
 * the log alone. They are in the state of the partition, as {@code 'g' group}; those of a run are deleted when it is final. One task, one
 * thread.
 */
final class TeamParts {

    private static final char KIND = 'g';

    /** Memory is released at a commit that finds more. */
    private static final int MAX_IN_MEMORY = 50_000;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Map<LeaderboardGroup, TeamPart> parts = new HashMap<>();
    private final Set<LeaderboardGroup> changed = new HashSet<>();

    /** @param partitionState the store that contains the parts */
    TeamParts(KeyValueStore<Bytes, byte[]> partitionState) {
        this.store = partitionState;
    }

    /**
     * Follows a change of a user. Null: the user is no member with a value above 0.
     *
     * @param team the group that is the team
     * @param atMs time of the change
     * @param clockMs the time of the partition: runs that end before are final
     * @return the part after it
     */
    TeamPart follow(
            LeaderboardGroup team,
            LeaderboardRules rules,
            @Nullable Standing before,
            @Nullable Standing after,
            long atMs,
            long clockMs) {
        TeamPart known = parts.get(team);
        if (known == null) {
            known = LeaderboardCodecs.TEAM_PART.get(store, keyOf(team));
        }
        if (known == null) {
            deleteFinal(team, rules, clockMs);
            known = TeamPart.NONE;
        }
        TeamPart next = known.changed(before, after, atMs);
        parts.put(team, next);
        changed.add(team);
        return next;
    }

    private static Bytes keyOf(LeaderboardGroup team) {
        return Bytes.wrap(LeaderboardKeys.ofGroup(KIND, team));
    }

    /** Deletes the parts of the oldest runs of a leaderboard, as far as these are final: they change no more. */
    private void deleteFinal(LeaderboardGroup team, LeaderboardRules rules, long clockMs) {
        byte[] ofBoard = LeaderboardKeys.ofBoard(KIND, team.tenant(), team.board());
        Bytes first = StoreScans.firstKey(store, ofBoard);
        while (first != null) {
            int run = LeaderboardKeys.groupOf(first).run();
            if (run >= team.run() || rules.runs().finalMsOf(run) > clockMs) {
                return;
            }
            delete(team.tenant(), team.board(), LeaderboardKeys.ofRun(KIND, team.tenant(), team.board(), run), run);
            first = StoreScans.firstKey(store, ofBoard);
        }
    }

    /** Deletes the parts of a leaderboard up to a run. @param prefix of their keys */
    private void delete(TenantId tenant, int board, byte[] prefix, int lastRun) {
        parts.keySet()
                .removeIf(team -> team.run() <= lastRun
                        && team.board() == board
                        && team.tenant().equals(tenant));
        changed.retainAll(parts.keySet());
        StoreScans.keys(store, Bytes.wrap(prefix), StoreKeys.afterAllWith(prefix.clone()), StoreScans.ALL)
                .forEach(store::delete);
    }

    /** Deletes the parts of a leaderboard that the rules no longer have. */
    void deleteAll(TenantId tenant, int board) {
        delete(tenant, board, LeaderboardKeys.ofBoard(KIND, tenant, board), Integer.MAX_VALUE);
    }

    /** Writes what has changed since the last call. Called before each commit. */
    void write() {
        changed.forEach(team -> LeaderboardCodecs.TEAM_PART.put(store, keyOf(team), requireNonNull(parts.get(team))));
        changed.clear();
        if (parts.size() > MAX_IN_MEMORY) {
            parts.clear();
        }
    }
}
