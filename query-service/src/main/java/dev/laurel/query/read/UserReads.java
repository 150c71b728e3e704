package dev.laurel.query.read;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.EventSummaries;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.core.view.WrappedYear;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.PresentUsers.Present;
import dev.laurel.query.partition.PresentUsers;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.EventBody.EventSummaryBody;
import dev.laurel.schemas.wire.PointsSystemBody.BoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserPointsBody;
import dev.laurel.schemas.wire.StreakBody;
import dev.laurel.schemas.wire.UserBody.MetricBody;
import dev.laurel.schemas.wire.UserBody.PreferencesBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.WrappedBody;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads about one user, from the stores of the user's partition. A read advances a copy of the state to the present with the same
 * core that processes commands, so it shows what a tick would produce. Thread-safe.
 */
public final class UserReads {

    private final PresentUsers users;
    private final PresentCounts counts;
    private final RulesetVersions rulesets;
    private final BestRanks bestRanks;
    private final SampledYears sampledYears;
    private final FreshRulesetRetry retry;

    /** The result of a read. */
    public sealed interface Result<T> {

        record Found<T>(T body) implements Result<T> {}

        /** The user or the requested object is unknown. */
        record Missing<T>(Refusal refusal) implements Result<T> {}

        static <T> Result<T> found(T body) {
            return new Found<>(body);
        }

        static <T> Result<T> missing(Refusal refusal) {
            return new Missing<>(refusal);
        }
    }

    /** @param nodes answer what a year in review shows of other users, and of leaderboards */
    public UserReads(PresentUsers users, Nodes nodes, PresentCounts counts) {
        this.users = users;
        this.counts = counts;
        this.rulesets = users.rulesets();
        this.bestRanks = new BestRanks(nodes, rulesets, users.clock());
        this.sampledYears = new SampledYears(nodes, users.clock());
        this.retry = new FreshRulesetRetry(rulesets);
    }

    public Result<UserBody> user(UserKey user) {
        return read(user, present -> Result.found(Bodies.user(present.state())));
    }

    /** The user's local date, in days since 1970. */
    public Result<Integer> today(UserKey user) {
        return read(user, present -> Result.found(present.today()));
    }

    public Result<PreferencesBody> preferences(UserKey user) {
        return read(user, present -> Result.found(Bodies.preferences(present.state().preferences(), present.rules())));
    }

    public Result<List<MetricBody>> metrics(UserKey user) {
        return read(user, present -> {
            return Result.found(present.rules().metrics().stream()
                    .map(metric -> Bodies.metric(present.state(), metric, present.rules())).toList());
        });
    }

    public Result<MetricBody> metric(UserKey user, String key) {
        return read(user, present -> {
            var rules = present.rules().metric(key);
            return rules == null
                    ? Result.missing(Refusal.unknownMetric(key))
                    : Result.found(Bodies.metric(present.state(), rules.metric(), present.rules()));
        });
    }

    /** @param awards the number of newest awards */
    public Result<UserPointsBody> points(UserKey user, String key, int awards) {
        return read(user, present -> {
            PointsSystem system = present.rules().pointsSystem(key);
            if (system == null) {
                return Result.missing(Refusal.unknownPointsSystem(key));
            }
            var bodies = PointsState.newestAwards(present.state(), present.history(), system.number(), awards).stream()
                    .map(award -> PointsBodies.award(user, system, award,
                            rulesets.published(user.tenant(), award.rulesetVersion()), present.today()))
                    .toList();
            return Result.found(PointsBodies.ofUser(present.state(), system, bodies));
        });
    }

    /** The boosts that apply to the user's awards of today. */
    public Result<List<BoostBody>> boosts(UserKey user, String key) {
        return read(user, present -> {
            PointsSystem system = present.rules().pointsSystem(key);
            return system == null
                    ? Result.missing(Refusal.unknownPointsSystem(key))
                    : Result.found(
                            PointsBodies.activeBoosts(present.state(), system, present.rules(), present.today()));
        });
    }

    /** A range of local dates, divided into periods. @param last inclusive, not before {@code first} */
    public record SummaryRange(StreakFrequency aggregation, LocalDate first, LocalDate last) {

        int firstDay() {
            return Math.toIntExact(first.toEpochDay());
        }

        int lastDay() {
            return Math.toIntExact(last.toEpochDay());
        }
    }

    private static Periods periodsOf(Present present, SummaryRange range) {
        return new Periods(range.aggregation(), present.rules().document().settings().weekStartsOn());
    }

    public Result<List<EventSummaryBody>> metricSummary(UserKey user, String key, SummaryRange range) {
        return read(user, present -> {
            var rules = present.rules().metric(key);
            return rules == null
                    ? Result.missing(Refusal.unknownMetric(key))
                    : Result.found(EventSummaries.ofMetric(present.state(), present.history(), rules.metric().number(),
                            periodsOf(present, range), range.firstDay(), range.lastDay()));
        });
    }

    public Result<List<EventSummaryBody>> pointsSummary(UserKey user, String key, SummaryRange range) {
        return read(user, present -> {
            PointsSystem system = present.rules().pointsSystem(key);
            return system == null
                    ? Result.missing(Refusal.unknownPointsSystem(key))
                    : Result.found(EventSummaries.ofPoints(present.state(), present.history(), system.number(),
                            periodsOf(present, range), range.firstDay(), range.lastDay()));
        });
    }

    /** @param periods the number of periods of history, including the current one */
    public Result<StreakBody> streak(UserKey user, int periods) {
        return read(user,
                present -> Result.found(StreakBodies.streak(present.state(), present.rules(), present.history(),
                        present.nowMs(), periods, rankOf(user.tenant(), present))));
    }

    /** Null without a streak, and while the rank is not known, so that a user's streak does not wait for its rank. */
    private @Nullable Long rankOf(TenantId tenant, Present present) {
        RankedStreak place = RankedStreak.of(present.state(), By.ACTIVE);
        if (place == null || !present.rules().streak().isEnabled()) {
            return null;
        }
        try {
            return 1 + counts.longerStreaks(tenant, place.length());
        } catch (NotReadyException _) {
            return null;
        }
    }

    /** The year of the user's local date, the last one that can be reviewed. */
    public Result<Integer> currentYear(UserKey user) {
        return read(user, present -> Result.found(LocalDate.ofEpochDay(present.today()).getYear()));
    }

    /**
     * The review of a year, from the user, the leaderboards and a sample of other users.
     *
     * @param year from 1 to {@link #currentYear}
     * @throws NotReadyException while the user or a leaderboard cannot be read now
     */
    public Result<WrappedBody> wrapped(UserKey user, int year) {
        Result<WrappedYear> review = read(user, present -> Result.found(
                new WrappedYear(present.state(), present.rules(), present.history(), present.today(), year)));
        return switch (review) {
            case Result.Missing<WrappedYear>(Refusal unknown) -> Result.missing(unknown);
            case Result.Found<WrappedYear>(WrappedYear found) -> Result.found(found.toBody(
                    bestRanks.of(user, found.today(), found.spans()), sampledYears.percentiles(user, found.year())));
        };
    }

    /** Completed achievements by time, then incomplete ones if requested. */
    public Result<List<AchievementBody>> achievements(UserKey user, boolean includeIncomplete) {
        return read(user, present -> {
            UserState state = present.state();
            List<Achievement> shown = present.rules().document().achievements().stream()
                    .filter(achievement -> state.completions().contains(achievement.number())
                            || includeIncomplete && Bodies.isVisible(state, achievement))
                    .sorted(Comparator.comparingLong(achievement -> {
                        Long atMs = state.completions().get(achievement.number());
                        return atMs == null ? Long.MAX_VALUE : atMs;
                    })).toList();
            int partition = users.partitions().layout().partitionOf(user.bytes());
            return Result.found(counts.addTo(user.tenant(), present.reader(), partition, shown,
                    achievement -> AchievementBodies.of(state, achievement, present.rules())));
        });
    }

    private <T> Result<T> read(UserKey user, Function<Present, Result<T>> show) {
        return retry.read(user.tenant(), () -> users.find(user, show)
                .orElseGet(() -> Result.missing(Refusal.unknownUser(user.user().value()))));
    }
}
