package dev.laurel.query.read;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.EventSummaries;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.core.view.WrappedYear;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.CurrentUsers.Present;
import dev.laurel.query.partition.Nodes;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.EventBody.EventSummaryBody;
import dev.laurel.schemas.wire.PointsSystemBody.BoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserPointsBody;
import dev.laurel.schemas.wire.StreakBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.UserBody.MetricBody;
import dev.laurel.schemas.wire.UserBody.PreferencesBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads about one user, from the stores of the user's partition. A read advances a copy of the state to the present with the same
 * core that processes commands, so it shows what a tick would produce. Every read throws {@link Refused} if there is no such user or
 * object. Thread-safe.
 */
public record UserReads(CurrentUsers users, CurrentCounts counts, YearReviews reviews) {

    /** @param nodes answer what a year in review shows of other users, and of leaderboards */
    public UserReads(CurrentUsers users, Nodes nodes, CurrentCounts counts) {
        this(users, counts, new YearReviews(nodes, users.rulesets(), users.clock()));
    }

    public UserBody user(UserKey user) {
        return read(user, present -> Bodies.user(present.state()));
    }

    /** The user's local date, in days since 1970. */
    public int today(UserKey user) {
        return read(user, Present::today);
    }

    public PreferencesBody preferences(UserKey user) {
        return read(user, present -> Bodies.preferences(present.state().preferences(), present.rules()));
    }

    public List<MetricBody> metrics(UserKey user) {
        return read(
                user,
                present -> present.rules().metrics().stream()
                        .map(metric -> Bodies.metric(present.state(), metric, present.rules()))
                        .toList());
    }

    public MetricBody metric(UserKey user, String key) {
        return read(user, present -> Bodies.metric(present.state(), metricOf(present, key), present.rules()));
    }

    private static Metric metricOf(Present present, String key) {
        var rules = present.rules().metric(key);
        if (rules == null) {
            throw new Refused(Refusal.unknown("metric", key));
        }
        return rules.metric();
    }

    /** @param awards the number of newest awards */
    public UserPointsBody points(UserKey user, String key, int awards) {
        return read(user, present -> {
            PointsSystem system = TenantReads.systemOf(present.rules(), key);
            var bodies = present.state().newestAwards(present.history(), system.number(), awards).stream()
                    .map(award -> PointsBodies.award(
                            user,
                            system,
                            award,
                            users.rulesets().published(user.tenant(), award.rulesetVersion()),
                            present.today()))
                    .toList();
            return PointsBodies.ofUser(present.state(), system, bodies);
        });
    }

    /** The boosts that apply to the user's awards of today. */
    public List<BoostBody> boosts(UserKey user, String key) {
        return read(
                user,
                present -> PointsBodies.activeBoosts(
                        present.state(), TenantReads.systemOf(present.rules(), key), present.rules(), present.today()));
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
        return new Periods(
                range.aggregation(), present.rules().document().settings().weekStartsOn());
    }

    public List<EventSummaryBody> metricSummary(UserKey user, String key, SummaryRange range) {
        return read(
                user,
                present -> EventSummaries.ofMetric(
                        present.state(),
                        present.history(),
                        metricOf(present, key).number(),
                        periodsOf(present, range),
                        range.firstDay(),
                        range.lastDay()));
    }

    public List<EventSummaryBody> pointsSummary(UserKey user, String key, SummaryRange range) {
        return read(
                user,
                present -> EventSummaries.ofPoints(
                        present.state(),
                        present.history(),
                        TenantReads.systemOf(present.rules(), key).number(),
                        periodsOf(present, range),
                        range.firstDay(),
                        range.lastDay()));
    }

    /** @param periods the number of periods of history, including the current one */
    public StreakBody streak(UserKey user, int periods) {
        return read(
                user,
                present -> StreakBodies.streak(
                        present.state(),
                        present.rules(),
                        present.history(),
                        present.nowMs(),
                        periods,
                        rankOf(user.tenant(), present)));
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
    public int currentYear(UserKey user) {
        return LocalDate.ofEpochDay(today(user)).getYear();
    }

    /**
     * The review of a year, from the user, the leaderboards and a sample of other users.
     *
     * @param year from 1 to {@link #currentYear}
     * @throws NotReadyException while the user or a leaderboard cannot be read now
     */
    public WrappedBody wrapped(UserKey user, int year) {
        return reviews.of(
                user,
                read(
                        user,
                        present -> new WrappedYear(
                                present.state(), present.rules(), present.history(), present.today(), year)));
    }

    /** Completed achievements by time, then incomplete ones if requested. */
    public List<AchievementBody> achievements(UserKey user, boolean includeIncomplete) {
        return read(user, present -> {
            UserState state = present.state();
            List<Achievement> shown = present.rules().document().achievements().stream()
                    .filter(achievement -> state.completions().contains(achievement.number())
                            || includeIncomplete && Bodies.isVisible(state, achievement))
                    .sorted(Comparator.comparingLong(achievement -> {
                        Long atMs = state.completions().get(achievement.number());
                        return atMs == null ? Long.MAX_VALUE : atMs;
                    }))
                    .toList();
            int partition = users.partitions().layout().partitionOf(user.bytes());
            return counts.addTo(
                    user.tenant(),
                    present.reader(),
                    partition,
                    shown,
                    achievement -> AchievementBodies.of(state, achievement, present.rules()));
        });
    }

    private <T> T read(UserKey user, Function<Present, T> show) {
        return new FreshRulesetRetry(users.rulesets())
                .read(
                        user.tenant(),
                        _ -> users.<T>find(user, show)
                                .orElseThrow(() -> new Refused(
                                        Refusal.unknown("user", user.user().value()))));
    }
}
