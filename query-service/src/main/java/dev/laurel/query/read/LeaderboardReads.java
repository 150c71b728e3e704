package dev.laurel.query.read;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.view.LeaderboardBodies;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.wire.LeaderboardBody;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads about leaderboards (docs/application-api.md §4 and §7), from the partitions that hold them. It treats inactive
 * leaderboards as unknown. Thread-safe.
 *
 * @param node its rankings are read; {@code nodes} find the places of a user
 * @param todayOf finds a user's local date, in days since 1970
 * @param pseudonymKey of anonymous users; null until the instance has one
 */
public record LeaderboardReads(
        LocalNode node,
        Nodes nodes,
        CurrentCounts counts,
        ToIntFunction<UserKey> todayOf,
        Supplier<byte @Nullable []> pseudonymKey) {

    /** The purpose for which {@code pseudonymKey} is derived. */
    public static final String PSEUDONYMS = "leaderboard pseudonyms";

    /** The maximum number of groups that one request merges. It reads each of them. */
    static final int MAX_GROUPS = 10_000;

    /**
     * The requested part of a leaderboard.
     *
     * @param offset the number of places to skip, from the first one or from that of {@code user}
     * @param limit the number of places to show
     * @param run a date in the requested run, null for the run of today
     * @param user the id of a user, null to count from the first place
     * @param attributes values of breakdown attributes, by their keys
     * @param among these users only, who are ranked among themselves; null: all
     * @param viewer the user who reads; null: unknown. The page shows this user by id and name, even an anonymous one
     * @param team whose members are ranked; null: the teams are, if there are any
     */
    public record Page(
            int offset,
            int limit,
            @Nullable LocalDate run,
            @Nullable String user,
            Map<String, String> attributes,
            @Nullable List<UserId> among,
            @Nullable UserId viewer,
            @Nullable String team) {}

    /** Active and scheduled leaderboards, and finished ones if requested, oldest first. */
    public List<LeaderboardBody> all(TenantId tenant, boolean includeFinished) {
        CompiledRuleset rules = node.users().rulesets().newest(tenant);
        Instant now = node.users().clock().instant();
        return rules.boards().stream()
                .map(LeaderboardRules::board)
                .filter(board -> switch (board.statusAt(now)) {
                    case INACTIVE -> false;
                    case SCHEDULED, ACTIVE -> true;
                    case FINISHED -> includeFinished;
                })
                .sorted(Comparator.comparing(Leaderboard::created))
                .map(board -> LeaderboardBodies.listItem(board, rules, now))
                .toList();
    }

    /** @throws NotReadyException while this node cannot read the leaderboard */
    public LeaderboardBody rankings(TenantId tenant, String key, Page page) {
        return read(
                tenant,
                key,
                visible -> visible.listItem()
                        .ranked(RankedPlaces.of(this, visible, page).read()));
    }

    /**
     * The place and the history of one user, in the user's own group.
     *
     * @param run a date in the requested run, null for the run of the user's local date
     * @param days the number of entries of history, the newest ones
     * @param isEstimated whether the user's place among all users is added
     * @throws NotReadyException while the user or the leaderboard cannot be read now
     */
    public LeaderboardBody ofUser(UserKey user, String key, @Nullable LocalDate run, int days, boolean isEstimated) {
        int today = todayOf.applyAsInt(user);
        return read(
                user.tenant(),
                key,
                visible -> new UserPlaces(this, visible, user).in(visible.runOf(run, today), days, isEstimated));
    }

    /** The place of a user in one run. @param end null if the run has none */
    public record RunOfUser(LocalDate start, @Nullable LocalDate end, LeaderboardBody leaderboard) {}

    /**
     * Every run of every leaderboard in which the user takes part, with all of its history, oldest first. It reads each run.
     *
     * @throws NotReadyException while one of the leaderboards cannot be read now
     */
    public List<RunOfUser> runsOf(UserKey user) {
        CompiledRuleset rules = node.users().rulesets().newest(user.tenant());
        Instant now = node.users().clock().instant();
        return PublicLeaderboard.started(user.tenant(), rules, now).stream()
                .flatMap(visible -> new UserPlaces(this, visible, user).inAllRuns())
                .toList();
    }

    private <T> T read(TenantId tenant, String key, Function<PublicLeaderboard, T> show) {
        return new FreshRulesetRetry(node.users().rulesets()).read(tenant, rules -> {
            LeaderboardRules board = rules.board(key);
            Instant now = node.users().clock().instant();
            if (board == null || board.board().statusAt(now) == LeaderboardStatus.INACTIVE) {
                throw new Refused(Refusal.unknown("leaderboard", key));
            }
            return show.apply(new PublicLeaderboard(tenant, board, rules, now));
        });
    }
}
