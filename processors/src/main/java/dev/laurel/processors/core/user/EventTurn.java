package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.MetricRules;
import dev.laurel.processors.core.user.Outcome.EventResult;
import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.ruleset.Metric;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One metric event, in the order of semantics.md §3: (timers and the user's own fields are done) metric total → metric
 * achievements → streak → streak achievements → composites → points triggers → levels.
 */
final class EventTurn {

    private final UserTurn turn;
    private final CommandContext context;
    private Refusal refusal;

    EventTurn(UserTurn turn, CommandContext context) {
        this.turn = turn;
        this.context = context;
    }

    /** What is answered when an idempotency key comes again: the present, and the first event's id. */
    static EventResult repeated(UserState now, RecordEvent event, Metric metric, UUID firstEventId) {
        return new EventResult(firstEventId, metric, MetricState.totalOf(now.metrics(), metric.number()), List.of(),
                false,
                List.of(), event.idempotencyKey(), true);
    }

    /** Why the event is refused after all; null if it is not. Then nothing of the turn may be kept. */
    Refusal refusal() {
        return refusal;
    }

    /** @param points of this command, in which the points of a new user may lie already */
    EventResult take(RecordEvent event, MetricRules metric, PointsBook points) {
        // A hash, and most direct producers never ask for it.
        boolean isRemembered = event.idempotencyKey() != null;
        UUID eventId = event.eventId() == null && isRemembered ? context.derivedEventId() : event.eventId();
        int number = metric.metric().number();
        int day = turn.dayOf(context.atMs());

        new MessageBook(turn).onEvent(context.atMs());
        BigDecimal before = turn.total(number);
        BigDecimal total = count(number, day, event);
        turn.ranked.count(metric.boards(), context.atMs(), day, event.value(), total);
        var achievements = new AchievementBook(turn, context.atMs());
        achievements.onEvent(metric, event, total);
        var streak = new StreakBook(turn);
        boolean isExtended = streak.count(number, day, event.value(), context.atMs());
        int length = streak.length();
        achievements.onStreak(length);
        achievements.completeComposites();
        points.payThresholds(metric, event, before, total);
        if (isExtended) {
            points.payStreak(length);
        }
        points.payCompletions(achievements.made());
        refusal = points.refusal();
        var changed = points.close();
        if (isRemembered) {
            turn.history.useIdempotencyKey(number, event.idempotencyKey(), eventId);
        }
        return new EventResult(eventId, metric.metric(), total, achievements.made(), isExtended, changed,
                event.idempotencyKey(), false);
    }

    /** By their numbers. */
    private Numbered<String> attributesOf(RecordEvent event) {
        Numbered<String> attributes = Numbered.empty();
        if (!event.attributes().isEmpty()) {
            for (Map.Entry<String, String> attribute : event.attributes().entrySet()) {
                attributes = attributes.with(turn.rules.eventAttribute(attribute.getKey()), attribute.getValue());
            }
        }
        return attributes;
    }

    /** Adds to the total and to the day's bucket. @return the new total */
    private BigDecimal count(int metric, int day, RecordEvent event) {
        BigDecimal value = event.value();
        Numbered<String> attributes = attributesOf(event);
        MetricState counted = turn.metrics.get(metric);
        int attributedFrom = counted == null ? MetricState.NEVER : counted.attributedFrom();
        if (attributes.size() > 0) {
            attributedFrom = Math.min(attributedFrom, day);
        }
        MetricState next;
        if (counted == null) {
            next = new MetricState(value, day, DayBucket.NONE.plus(value, attributes), attributedFrom);
        } else {
            BigDecimal total = Amounts.canonical(counted.total().add(value));
            if (day == counted.day()) {
                next = new MetricState(total, day, counted.bucket().plus(value, attributes), attributedFrom);
            } else if (day > counted.day()) {
                turn.history.putDay(metric, counted.day(), counted.bucket());
                next = new MetricState(total, day, DayBucket.NONE.plus(value, attributes), attributedFrom);
            } else {
                DayBucket old = turn.history.day(metric, day);
                turn.history.putDay(metric, day, (old == null ? DayBucket.NONE : old).plus(value, attributes));
                next = new MetricState(total, counted.day(), counted.bucket(), attributedFrom);
            }
        }
        turn.metrics = turn.metrics.with(metric, next);
        return next.total();
    }
}
