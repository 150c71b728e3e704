package dev.laurel.core.engine;

import dev.laurel.core.engine.Outcome.CountedEvent;
import dev.laurel.core.engine.Outcome.EventResult;
import dev.laurel.core.rules.MetricRules;
import dev.laurel.core.user.ActiveDays;
import dev.laurel.core.user.ActiveDays.Activation;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.MetricState.RecentDays;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.ruleset.Metric;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records one metric event in the order of docs/semantics.md §3. After timers and changes of the user's properties follow:
 * metric total → metric achievements → streak → streak achievements → composites → points triggers → levels.
 */
record EventRecorder(UserTransaction user, CommandContext context) {

    /** The result of an event whose idempotency key was used before: the present totals and the id of the first event. */
    static EventResult repeated(UserState now, RecordEvent event, Metric metric, UUID firstEventId) {
        return new EventResult(
                firstEventId,
                metric,
                MetricState.totalOf(now.metrics(), metric.number()),
                List.of(),
                false,
                List.of(),
                event.idempotencyKey(),
                true);
    }

    /**
     * Records the event. If {@link PointsAwarder#refusal} is set afterwards, the event is refused and the transaction must be
     * discarded.
     *
     * @param points the awarder of this command, which may already have paid a new user
     */
    EventResult record(RecordEvent event, MetricRules metric, PointsAwarder points) {
        // Deriving the id costs a hash, and most direct producers never need it.
        UUID eventId = event.eventId();
        if (eventId == null && event.idempotencyKey() != null) {
            eventId = context.derivedEventId();
        }
        int number = metric.metric().number();
        int day = user.dayOf(context.atMs());

        new MessageScheduler(user).onEvent(context.atMs());
        BigDecimal before = user.total(number);
        BigDecimal total = count(number, day, event);
        new LeaderboardScorer(user).count(metric.boards(), context.atMs(), day, event.value(), total);
        var achievements = new AchievementEvaluator(user, context.atMs());
        achievements.onEvent(metric, event, total);
        var streak = new StreakTracker(user);
        boolean isExtended = streak.count(number, day, event.value(), context.atMs());
        int length = streak.length();
        achievements.onStreak(length);
        achievements.onAttributes();
        achievements.completeComposites();
        points.payThresholds(metric, event, before, total);
        if (isExtended) {
            points.payStreak(length);
        }
        points.payCompletions(achievements.completed());
        var changed = points.close();
        if (eventId != null && event.idempotencyKey() != null) {
            user.history().put(new HistoryWrite.UseIdempotencyKey(number, event.idempotencyKey(), eventId));
        }
        return new EventResult(
                eventId,
                metric.metric(),
                total,
                achievements.completed(),
                isExtended,
                changed,
                event.idempotencyKey(),
                false);
    }

    /** The attributes of the event by their numbers. */
    private IntKeyedMap<String> attributesOf(RecordEvent event) {
        IntKeyedMap<String> attributes = IntKeyedMap.empty();
        if (!event.attributes().isEmpty()) {
            for (Map.Entry<String, String> attribute : event.attributes().entrySet()) {
                attributes = attributes.with(user.rules().eventAttribute(attribute.getKey()), attribute.getValue());
            }
        }
        return attributes;
    }

    /** Adds the value to the total and to the day's bucket. @return the new total */
    private BigDecimal count(int metric, int day, RecordEvent event) {
        BigDecimal value = event.value();
        IntKeyedMap<String> attributes = attributesOf(event);
        MetricState counted = user.metrics().get(metric);
        int newest = counted == null ? ActiveDays.NO_DAY : counted.day();
        DayBucket former = counted == null ? DayBucket.NONE : bucketOf(metric, counted, day);
        DayBucket bucket = former.plus(value, attributes);
        BigDecimal total =
                counted == null ? value : Amounts.canonical(counted.total().add(value));
        int attributedFrom = counted == null ? MetricState.NEVER : counted.attributedFrom();
        if (attributes.size() > 0) {
            attributedFrom = Math.min(attributedFrom, day);
        }
        long events = counted == null ? 1 : counted.events() + 1;
        RecentDays recent =
                (counted == null ? RecentDays.NONE : counted.recent()).plus(day, former, bucket, Math.max(day, newest));
        if (counted != null && day < newest) {
            user.history().put(new HistoryWrite.PutDay(metric, day, bucket));
            user.putMetric(metric, new MetricState(total, events, newest, counted.bucket(), attributedFrom, recent));
        } else {
            if (counted != null && day > newest) {
                user.history().put(new HistoryWrite.PutDay(metric, newest, counted.bucket()));
            }
            user.putMetric(metric, new MetricState(total, events, day, bucket, attributedFrom, recent));
        }
        user.count(new CountedEvent(metric, day, value, bucket.events() == 1, newest, activate(day)));
        return total;
    }

    private DayBucket bucketOf(int metric, MetricState counted, int day) {
        if (day >= counted.day()) {
            return day == counted.day() ? counted.bucket() : DayBucket.NONE;
        }
        DayBucket old = user.history().day(metric, day);
        return old == null ? DayBucket.NONE : old;
    }

    private @Nullable Activation activate(int day) {
        Activation activation = user.active().activation(day, user.history());
        if (activation != null) {
            user.updateActive(user.active().with(day, user.history()));
        }
        return activation;
    }
}
