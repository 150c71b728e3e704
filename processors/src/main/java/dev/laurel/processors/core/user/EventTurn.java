package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.MetricRules;
import dev.laurel.processors.core.user.Outcome.EventResult;
import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Metric;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One metric event, in the order of semantics.md §3: timers → user upsert → metric total → metric achievements → streak →
 * points triggers. Streak achievements, composites, levels and leaderboards take their places in between as they come.
 */
final class EventTurn extends UserTurn {

    private final UserHistory history;
    private final List<HistoryWrite> writes = new ArrayList<>(4);
    private final List<Achievement> completed = new ArrayList<>(0);

    EventTurn(UserState before, CompiledRuleset rules, CommandContext context, UserHistory history) {
        super(before, rules, context);
        this.history = history;
    }

    /** What is answered when an idempotency key comes again: the present, and the first event's id. */
    static EventResult repeated(UserState now, RecordEvent event, Metric metric, UUID firstEventId) {
        return new EventResult(firstEventId, metric, totalOf(now, metric.number()), List.of(), false, List.of(),
                event.idempotencyKey(), true);
    }

    Outcome.Applied take(RecordEvent event, MetricRules metric) {
        UUID eventId = event.eventId() != null ? event.eventId() : context.derivedEventId();
        upsert(event.user());
        int number = metric.metric().number();
        ZoneId zone = rules.zoneOf(state.profile().tz());
        int day = LocalDays.dayOf(context.atMs(), zone);

        BigDecimal before = totalOf(state, number);
        BigDecimal total = count(number, day, event.value());
        completeGoals(metric, total);
        boolean streakExtended = judgeStreak(number, day, event.value(), zone);
        var book = new PointsBook(state, rules, context, writes);
        book.payThresholds(metric.triggers(), before, total);
        var awards = book.close(effects);
        state = state.withPoints(book.points());

        if (event.idempotencyKey() != null) {
            writes.add(new HistoryWrite.UseIdempotencyKey(number, event.idempotencyKey(), eventId));
        }
        var result = new EventResult(eventId, metric.metric(), total, completed, streakExtended, awards,
                event.idempotencyKey(), false);
        return finish(writes, completed, result);
    }

    private static BigDecimal totalOf(UserState state, int metric) {
        MetricState counted = state.metrics().get(metric);
        return counted == null ? BigDecimal.ZERO : counted.total();
    }

    /** Adds to the total and to the day's bucket. @return the new total */
    private BigDecimal count(int metric, int day, BigDecimal value) {
        MetricState counted = state.metrics().get(metric);
        MetricState next;
        if (counted == null) {
            next = new MetricState(value, day, DayBucket.NONE.plus(value));
        } else {
            BigDecimal total = Amounts.canonical(counted.total().add(value));
            if (day == counted.day()) {
                next = new MetricState(total, day, counted.bucket().plus(value));
            } else if (day > counted.day()) {
                writes.add(new HistoryWrite.PutDay(metric, counted.day(), counted.bucket()));
                next = new MetricState(total, day, DayBucket.NONE.plus(value));
            } else {
                DayBucket old = history.day(metric, day);
                writes.add(new HistoryWrite.PutDay(metric, day, (old == null ? DayBucket.NONE : old).plus(value)));
                next = new MetricState(total, counted.day(), counted.bucket());
            }
        }
        state = state.withMetrics(state.metrics().with(metric, next));
        return next.total();
    }

    private void completeGoals(MetricRules metric, BigDecimal total) {
        for (MetricRules.TotalGoal goal : metric.achievements()) {
            Achievement achievement = goal.achievement();
            if (total.compareTo(goal.value()) >= 0 && !state.completions().contains(achievement.number())) {
                state = state.withCompletions(state.completions().with(achievement.number(), context.atMs()));
                completed.add(achievement);
                effects.add(new Effect.AchievementCompleted(state.id(), at(), achievement.id(), achievement.key(),
                        completionId(context.user(), achievement)));
            }
        }
    }

    static UUID completionId(UserKey user, Achievement achievement) {
        return UUID.nameUUIDFromBytes((user.text() + "\ncompletion\n" + achievement.id()).getBytes(UTF_8));
    }

    /** @return whether this event turned the user's current day to met */
    private boolean judgeStreak(int metric, int day, BigDecimal value, ZoneId zone) {
        var streakRules = rules.streak();
        if (!streakRules.isEnabled() || !streakRules.isMetBy(metric, value, other -> changeOn(other, day))) {
            return false;
        }
        int today = LocalDays.dayOf(state.newestMs(), zone);
        var met = StreakChain.meet(state.streak(), day, today, context.atMs(), history);
        state = state.withStreak(met.streak());
        writes.addAll(met.writes());
        boolean isExtended = met.isNewlyMet() && day == today;
        if (isExtended) {
            int length = met.streak().length();
            effects.add(length == 1
                    ? new Effect.StreakStarted(state.id(), at(), length)
                    : new Effect.StreakExtended(state.id(), at(), length));
        }
        return isExtended;
    }

    /** The sum of a metric's changes on a day, this event included: the newest day lies in the state. */
    private BigDecimal changeOn(int metric, int day) {
        MetricState counted = state.metrics().get(metric);
        if (counted == null || day > counted.day()) {
            return BigDecimal.ZERO;
        }
        if (day == counted.day()) {
            return counted.bucket().change();
        }
        for (HistoryWrite write : writes) {
            if (write instanceof HistoryWrite.PutDay(int m, int d, DayBucket bucket) && m == metric && d == day) {
                return bucket.change();
            }
        }
        DayBucket old = history.day(metric, day);
        return old == null ? BigDecimal.ZERO : old.change();
    }
}
