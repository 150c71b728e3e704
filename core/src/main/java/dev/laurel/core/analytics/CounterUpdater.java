package dev.laurel.core.analytics;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.analytics.Counter.Cohorts;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Notice;
import dev.laurel.core.engine.Outcome.CountedEvent;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.CompiledRuleset.MetricAchievements;
import dev.laurel.core.user.ActiveDays;
import dev.laurel.core.user.ActiveDays.Activation;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState.SentMessage;
import dev.laurel.core.user.MessageState.SentMessage.CountedMessage;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.PointsRanges;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Derives the changes of counters from a change of a user (docs/analytics.md §2): a pure function, so that a replay counts the same. It
 * needs nothing but the user, and its cost depends neither on the number of users nor on their past.
 */
public final class CounterUpdater {

    private final Step step;
    private final Counters counters;

    // Found when they are needed, since most events change few counters.
    private @Nullable Counts counts;
    private @Nullable Counts cohort;
    private @Nullable Counts present;
    private final int firstSeen;
    private final int newDays;

    /**
     * A change of a user.
     *
     * @param former the rules to which the user was brought before; null: they had no objects
     * @param before null: the user is new
     * @param completed achievements, silently or not
     * @param event null: there was none
     * @param isRestored whether an operator has given a streak back
     */
    public record Step(
            CompiledRuleset rules,
            @Nullable CompiledRuleset former,
            @Nullable UserState before,
            UserState after,
            List<Effect> effects,
            List<Achievement> completed,
            @Nullable CountedEvent event,
            boolean isRestored) {}

    /** Finds the counters of segments. */
    @FunctionalInterface
    public interface Counters {

        Counts of(List<Segment> segments);
    }

    /** Takes the changes of counters of one user's segments. */
    public interface Counts {

        /** @param object the number of an object of the ruleset; 0 if the kind has none */
        void add(Counter counter, int object, int cell, long change);

        /** @param counter of a kind of decimal numbers */
        void add(Counter counter, int object, int cell, BigDecimal change);

        /**
         * Whether the users of a run of a leaderboard are counted. The first call with a newer run deletes what is too old beside it.
         *
         * @param oldestOf the oldest run that is counted beside a newest one
         */
        boolean countsRun(int board, int run, IntUnaryOperator oldestOf);
    }

    private CounterUpdater(Step step, Counters counters) {
        this.step = step;
        this.counters = counters;
        this.firstSeen = step.after().streak().createdDay();
        this.newDays = step.rules().document().settings().userActivationWindow();
    }

    /** The counters of the segments of the user at the time of the change. */
    private Counts counts() {
        if (counts == null) {
            UserState after = step.after();
            counts = counters.of(Segment.of(
                    after.control(),
                    ActiveDays.analyticsValues(step.rules(), after.profile().attributes())));
        }
        return counts;
    }

    /** The counters of the segments of the user at the creation. */
    private Counts cohort() {
        if (cohort == null) {
            cohort = counters.of(
                    Segment.of(step.after().control(), step.after().active().cohort()));
        }
        return cohort;
    }

    /** The counters of present users and of messages. They are divided by the control group only, which a user never leaves. */
    private Counts present() {
        if (present == null) {
            present = presentOf(step.after(), counters);
        }
        return present;
    }

    private static Counts presentOf(UserState user, Counters counters) {
        return counters.of(Segment.of(user.control(), IntKeyedMap.empty()));
    }

    /** Counts a change of a user. */
    public static void count(Step step, Counters counters) {
        var updater = new CounterUpdater(step, counters);
        if (step.before() == null) {
            updater.cohort().add(Counter.NEW_USERS, 0, updater.firstSeen, 1);
            updater.present().add(Counter.USERS, 0, 0, 1);
        }
        CountedEvent event = step.event();
        if (event != null) {
            updater.countEvent(event);
        }
        updater.countLengths();
        updater.countPlaces();
        updater.countScores();
        countRanges(step.before(), step.after(), counters);
        updater.countReactions();
        if (!step.completed().isEmpty() || !step.effects().isEmpty() || step.isRestored()) {
            updater.countFacts();
        }
    }

    /** Counts the messages to users that are handed to delivery and not outdated. @param at of the command that caused them */
    public static void countMessages(List<Notice> notices, CommandContext at, Counters counters) {
        for (Notice notice : notices) {
            if (notice instanceof Notice.ForUser message
                    && !at.isOutdated(message.at().toEpochMilli())) {
                Counts counts = counters.of(List.of(Segment.OUTSIDE));
                CountedMessage counted = message.counted();
                addToTemplate(counts, Counter.MESSAGES_DUE, counted.emailTemplate(), counted.day());
                addToTemplate(counts, Counter.MESSAGES_DUE, counted.pushTemplate(), counted.day());
            }
        }
    }

    /** Counts what the user has done after messages that were handed to delivery. */
    private void countReactions() {
        List<SentMessage> sent = step.after().messages().sent();
        List<SentMessage> before =
                step.before() == null ? List.of() : step.before().messages().sent();
        if (sent == before) {
            return;
        }
        for (SentMessage message : sent) {
            SentMessage former = SentMessage.find(before, message.id());
            CountedMessage counted = message.counted();
            if (message.isReturned() && (former == null || !former.isReturned())) {
                addToTemplate(present(), Counter.MESSAGES_RETURNED, counted.emailTemplate(), counted.day());
                addToTemplate(present(), Counter.MESSAGES_RETURNED, counted.pushTemplate(), counted.day());
            }
            if (message.isOpened() && (former == null || !former.isOpened())) {
                addToTemplate(present(), Counter.MESSAGES_OPENED, counted.emailTemplate(), counted.day());
            }
            if (message.isClicked() && (former == null || !former.isClicked())) {
                addToTemplate(present(), Counter.MESSAGES_CLICKED, counted.emailTemplate(), counted.day());
            }
        }
    }

    /** @param template 0: none */
    private static void addToTemplate(Counts counts, Counter counter, int template, int day) {
        if (template != 0) {
            counts.add(counter, template, day, 1);
        }
    }

    /**
     * Takes a user who is erased from the counters of present users; all others stay as they are.
     *
     * @param rules to which the user was brought last; null: they had no objects
     */
    public static void erase(@Nullable CompiledRuleset rules, UserState last, Counters counters) {
        Counts present = presentOf(last, counters);
        present.add(Counter.USERS, 0, 0, -1);
        for (int i = 0; i < last.completions().size(); i++) {
            present.add(Counter.COMPLETED, 0, last.completions().numberAt(i), -1);
        }
        present.add(Counter.STREAK_LENGTHS, 0, lengthOf(last), -1);
        present.add(Counter.LONGEST_STREAKS, 0, last.streak().longest(), -1);
        countAchievements(rules, last, present, -1);
        countLevels(rules, last, present, -1);
        countRanges(last, null, counters);
        if (rules != null) {
            for (LeaderboardRules board : rules.boards()) {
                LeaderboardState state = last.boards().get(board.number());
                addScore(board, ScoreRanges.segmentOf(board, state, last), state, -1, counters);
            }
        }
    }

    private void countEvent(CountedEvent event) {
        int metric = event.metric();
        int day = event.day();
        counts().add(Counter.EVENTS, metric, day, 1);
        counts().add(Counter.VALUE, metric, day, event.value());
        if (isNewOn(day)) {
            counts().add(Counter.EARLY_VALUE, metric, day, event.value());
        }
        if (event.isFirstOfDay()) {
            countActive(metric, day, event.newestDayBefore());
        }
        Activation activation = event.activation();
        if (activation != null) {
            countActive(0, day, activation.newestBefore());
            countWindows(Counter.ACTIVE_7, 7, activation);
            countWindows(Counter.ACTIVE_30, 30, activation);
        }
    }

    private boolean isNewOn(int day) {
        return day >= firstSeen && day < firstSeen + newDays;
    }

    /** Counts a day on which the user became active. @param object the number of a metric, 0 for any */
    private void countActive(int object, int day, int newestBefore) {
        counts().add(Counter.ACTIVE, object, day, 1);
        if (isNewOn(day)) {
            counts().add(Counter.EARLY_ACTIVE, object, day, 1);
        }
        countCohort(object, day, newestBefore);
    }

    /** Counts an active day after the day of creation, see {@link Cohorts}. */
    private void countCohort(int object, int day, int newestBefore) {
        int n = day - firstSeen;
        if (n >= 0 && n <= Cohorts.LAST_DAY) {
            cohort().add(Counter.COHORT, object, Cohorts.active(firstSeen, n), 1);
        }
        if (n < 0 || day <= newestBefore) {
            return;
        }
        int to = Cohorts.lastActive(firstSeen, n);
        if (newestBefore < firstSeen) {
            cohort().add(Counter.COHORT, object, to, 1);
            return;
        }
        int from = Cohorts.lastActive(firstSeen, newestBefore - firstSeen);
        if (from != to) {
            cohort().add(Counter.COHORT, object, from, -1);
            cohort().add(Counter.COHORT, object, to, 1);
        }
    }

    /**
     * Counts the windows that contain the day but no other active day of the user: of those that end from the day on, the ones that
     * begin after the previous active day and end before the next.
     */
    private void countWindows(Counter counter, int days, Activation activation) {
        int day = activation.day();
        int first = activation.previous() == ActiveDays.NO_DAY ? day : Math.max(day, activation.previous() + days);
        int last = activation.next() == ActiveDays.NO_DAY
                ? day + days - 1
                : Math.min(day + days - 1, activation.next() - 1);
        for (int cell = first; cell <= last; cell++) {
            counts().add(counter, 0, cell, 1);
        }
    }

    private void countLengths() {
        UserState before = step.before();
        UserState after = step.after();
        move(Counter.STREAK_LENGTHS, before == null ? -1 : lengthOf(before), lengthOf(after));
        move(
                Counter.LONGEST_STREAKS,
                before == null ? -1 : before.streak().longest(),
                after.streak().longest());
    }

    /** The length of the streak; 0 if the user has switched streaks off. */
    private static int lengthOf(UserState user) {
        return user.preferences().wantsStreak() ? user.streak().length() : 0;
    }

    /** @param from -1: the user is new */
    private void move(Counter counter, int from, int to) {
        if (from != to) {
            if (from >= 0) {
                present().add(counter, 0, from, -1);
            }
            present().add(counter, 0, to, 1);
        }
    }

    /** Counts the user under the highest achievements and the levels, which also other rules may change. */
    private void countPlaces() {
        UserState before = step.before();
        UserState after = step.after();
        boolean isMigrated = before == null || before.rulesVersion() != after.rulesVersion();
        if (isMigrated || !step.completed().isEmpty()) {
            if (before != null) {
                countAchievements(step.former(), before, present(), -1);
            }
            countAchievements(step.rules(), after, present(), 1);
        }
        if (isMigrated || hasOtherLevel(before, after)) {
            if (before != null) {
                countLevels(step.former(), before, present(), -1);
            }
            countLevels(step.rules(), after, present(), 1);
        }
    }

    /** Whether the user holds another level in some system, under the same rules. */
    private boolean hasOtherLevel(@Nullable UserState before, UserState after) {
        if (before == null || before.points() == after.points()) {
            return false;
        }
        for (int i = 0; i < after.points().size(); i++) {
            PointsSystem system = step.rules().pointsSystem(after.points().numberAt(i));
            if (system != null && levelOf(system, before) != levelOf(system, after)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Level levelOf(PointsSystem system, UserState user) {
        return system.levelOf(PointsState.totalOf(user.points(), system.number()));
    }

    private static void countAchievements(@Nullable CompiledRuleset rules, UserState user, Counts present, int change) {
        if (rules != null && user.completions().size() > 0) {
            for (MetricAchievements of : rules.metricAchievements()) {
                of.highestFirst().stream()
                        .filter(one -> user.completions().contains(one.number()))
                        .findFirst()
                        .ifPresent(highest -> present.add(
                                Counter.HIGHEST_ACHIEVEMENTS, of.metric().number(), highest.number(), change));
            }
        }
    }

    private static void countLevels(@Nullable CompiledRuleset rules, UserState user, Counts present, int change) {
        if (rules != null) {
            for (PointsSystem system : rules.document().pointsSystems()) {
                Level level = levelOf(system, user);
                if (level != null) {
                    present.add(Counter.LEVELS, system.number(), level.number(), change);
                }
            }
        }
    }

    /** Counts the user under the ranges of points, and under all attributes together. */
    private static void countRanges(@Nullable UserState before, @Nullable UserState after, Counters counters) {
        if (before == null
                || after == null
                || before.profile() != after.profile()
                        && !before.profile().attributes().equals(after.profile().attributes())) {
            addRanges(before, null, -1, counters);
            addRanges(after, null, 1, counters);
        } else if (before.points() != after.points()) {
            addRanges(before, after, -1, counters);
            addRanges(after, before, 1, counters);
        }
    }

    /** @param other the state whose ranges of the same users are left out; null: no ranges are, and the user counts as well */
    private static void addRanges(@Nullable UserState user, @Nullable UserState other, int change, Counters counters) {
        if (user == null) {
            return;
        }
        Map<String, String> attributes = user.profile().attributes();
        Counts ofAttributes = null;
        if (other == null && !attributes.isEmpty()) {
            ofAttributes = counters.of(List.of(Segment.ofAttributes(attributes)));
            ofAttributes.add(Counter.USERS, 0, 0, change);
        }
        for (int i = 0; i < user.points().size(); i++) {
            int system = user.points().numberAt(i);
            int cell = PointsRanges.cell(user.points().valueAt(i).total());
            if (cell == 0 || other != null && cell == PointsRanges.cell(PointsState.totalOf(other.points(), system))) {
                continue;
            }
            presentOf(user, counters).add(Counter.POINTS_RANGES, system, cell, change);
            if (!attributes.isEmpty()) {
                if (ofAttributes == null) {
                    ofAttributes = counters.of(List.of(Segment.ofAttributes(attributes)));
                }
                ofAttributes.add(Counter.POINTS_RANGES, system, cell, change);
            }
        }
    }

    /** Counts the user under the values on leaderboards. What is counted follows from the user and the rules alone. */
    private void countScores() {
        UserState before = step.before();
        UserState after = step.after();
        CompiledRuleset former = before == null ? null : step.former();
        if (before != null && former != null && former != step.rules()) {
            for (LeaderboardRules board : former.boards()) {
                if (step.rules().board(board.number()) == null) {
                    moveScore(board, before.boards().get(board.number()), null);
                }
            }
        }
        List<LeaderboardRules> boards = step.rules().boards();
        for (int i = 0; i < boards.size(); i++) {
            LeaderboardRules board = boards.get(i);
            LeaderboardState from = before == null ? null : before.boards().get(board.number());
            LeaderboardState to = after.boards().get(board.number());
            if (from != to || before != null && mayRankElsewhere(before, after)) {
                moveScore(board, from, to);
            }
        }
    }

    private static boolean mayRankElsewhere(UserState before, UserState after) {
        return before.profile() != after.profile() || before.preferences() != after.preferences();
    }

    /** Counts a change of a value or of a group. In a run that the user has left for a newer one, the last value stays counted. */
    private void moveScore(LeaderboardRules board, @Nullable LeaderboardState from, @Nullable LeaderboardState to) {
        UserState before = step.before();
        Segment old = before == null ? null : ScoreRanges.segmentOf(board, from, before);
        Segment now = ScoreRanges.segmentOf(board, to, step.after());
        boolean isLeft = from != null && to != null && from.run() < to.run();
        boolean isSame = old != null
                && from != null
                && to != null
                && old.equals(now)
                && ScoreRanges.cell(from.value()) == ScoreRanges.cell(to.value());
        if (!isSame) {
            addScore(board, isLeft ? null : old, from, -1, counters);
            addScore(board, now, to, 1, counters);
        }
    }

    /** @param segment null: the user is not ranked */
    private static void addScore(
            LeaderboardRules board,
            @Nullable Segment segment,
            @Nullable LeaderboardState state,
            int change,
            Counters counters) {
        if (segment != null && state != null) {
            Counts counts = counters.of(List.of(segment));
            if (counts.countsRun(board.number(), state.run(), board.runs()::oldestCounted)) {
                counts.add(Counter.SCORES, board.number(), ScoreRanges.cell(state.value()), change);
            }
        }
    }

    private void countFacts() {
        UserState after = step.after();
        for (Achievement achievement : step.completed()) {
            long atMs = requireNonNull(after.completions().get(achievement.number()), "it is completed");
            counts().add(Counter.COMPLETIONS, achievement.number(), dayOf(atMs), 1);
            present().add(Counter.COMPLETED, 0, achievement.number(), 1);
        }
        for (Effect effect : step.effects()) {
            switch (effect) {
                case Effect.StreakStarted started -> count(Counter.STREAKS_STARTED, started, 1);
                case Effect.StreakExtended extended -> count(Counter.STREAKS_EXTENDED, extended, 1);
                case Effect.StreakLost lost -> count(Counter.STREAKS_LOST, lost, 1);
                case Effect.FreezeConsumed saved -> count(Counter.STREAKS_SAVED, saved, saved.consumed());
                case Effect.PointsChanged changed -> countPoints(changed);
                case Effect.UserCreated _,
                        Effect.UserErased _,
                        Effect.AchievementCompleted _,
                        Effect.FreezeEarned _,
                        Effect.LevelChanged _,
                        Effect.OfBoost _,
                        Effect.OfLeaderboard _ -> {
                    // No counter depends on it, or it was counted above.
                }
            }
        }
        if (step.isRestored()) {
            counts().add(Counter.STREAKS_RESTORED, 0, dayOf(after.newestMs()), 1);
        }
    }

    private void count(Counter counter, Effect effect, int times) {
        counts().add(counter, 0, dayOf(effect.at().toEpochMilli()), times);
    }

    private void countPoints(Effect.PointsChanged changed) {
        PointsSystem system = step.rules().pointsSystem(changed.systemKey());
        if (system == null) {
            return; // Points of timers before a migration that has removed the system.
        }
        int day = dayOf(changed.at().toEpochMilli());
        for (Effect.PointsAwarded award : changed.awards()) {
            long points = award.awarded();
            counts().add(
                            points > 0 ? Counter.POINTS_AWARDED : Counter.POINTS_TAKEN,
                            system.number(),
                            day,
                            Math.abs(points));
            Integer trigger = step.rules().triggerObject(award.triggerId());
            if (trigger != null) {
                counts().add(Counter.POINTS_OF_TRIGGER, trigger, day, points);
            }
        }
        if (isNewOn(day)) {
            cohort().add(Counter.EARLY_POINTS, system.number(), firstSeen, changed.added());
        }
    }

    private int dayOf(long atMs) {
        return LocalDays.dayOf(atMs, step.rules().zoneOf(step.after().profile().tz()));
    }
}
