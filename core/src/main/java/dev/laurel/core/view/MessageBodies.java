package dev.laurel.core.view;

import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.CountedDays;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.EventSummaries.PeriodNumbers;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.MessageBody;
import dev.laurel.schemas.wire.MessageBody.ReactivationBody;
import dev.laurel.schemas.wire.MessageBody.RecapBody;
import dev.laurel.schemas.wire.MessageBody.RecapPeriodBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserPointsBody;
import dev.laurel.schemas.wire.StreakBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the values for templates of messages, and the payloads of webhooks about due messages (docs/webhooks.md §2
 * {@code emails.*}).
 */
public final class MessageBodies {

    private static final int PERIODS = 7;

    private MessageBodies() {}

    /** @param atMs when the message is due, the moment of the state */
    public static MessageBody message(
            MessageSubject subject, UserState state, CompiledRuleset rules, UserHistory history, long atMs) {
        var body = new MessageBody(
                Instant.ofEpochMilli(atMs),
                IssueList.word(subject.type()),
                Bodies.user(state),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                rules.streak().isEnabled() ? Optional.of(streak(state, rules, history, atMs)) : Optional.empty(),
                points(state, rules));
        return switch (subject) {
            case MessageSubject.Completion(var completed) ->
                Records.with(body, "achievement", Optional.of(AchievementBodies.of(state, completed, rules)));
            case MessageSubject.Recap(Span days) ->
                Records.with(body, "recap", Optional.of(recap(days, state, rules, history)));
            case MessageSubject.Reactivation(int number, int days) ->
                Records.with(body, "reactivation", Optional.of(new ReactivationBody(number, days)));
            case MessageSubject.StreakReminder _ -> body;
        };
    }

    /** @param atMs when the message is due, the moment of the state */
    public static WebhookPayload payload(
            MessageSubject subject, UserState state, CompiledRuleset rules, UserHistory history, long atMs) {
        Instant at = Instant.ofEpochMilli(atMs);
        return switch (subject) {
            case MessageSubject.Completion(var completed) ->
                new WebhookPayload.AchievementDue(
                        at, Bodies.user(state), AchievementBodies.of(state, completed, rules));
            case MessageSubject.Recap(Span days) ->
                new WebhookPayload.RecapDue(
                        at,
                        Bodies.user(state),
                        new RecapPeriodBody(LocalDate.ofEpochDay(days.first()), LocalDate.ofEpochDay(days.last())));
            case MessageSubject.Reactivation(int number, int days) ->
                new WebhookPayload.ReactivationDue(at, Bodies.user(state), new ReactivationBody(number, days));
            case MessageSubject.StreakReminder _ ->
                new WebhookPayload.StreakReminderDue(at, Bodies.user(state), streak(state, rules, history, atMs));
        };
    }

    /** The streak without the rank, which is unknown here. */
    private static StreakBody streak(UserState state, CompiledRuleset rules, UserHistory history, long atMs) {
        return StreakBodies.streak(state, rules, history, atMs, PERIODS, null);
    }

    private static RecapBody recap(Span days, UserState state, CompiledRuleset rules, UserHistory history) {
        var metrics = new LinkedHashMap<String, RecapBody.MetricBody>();
        for (Metric metric : rules.metrics()) {
            var numbers = PeriodNumbers.of(CountedDays.ofMetric(state, history, metric.number(), days.first()), days);
            metrics.put(
                    metric.key(),
                    new RecapBody.MetricBody(
                            metric.key(), metric.name(), metric.units(), numbers.change(), numbers.total()));
        }
        var points = new LinkedHashMap<String, RecapBody.PointsBody>();
        for (PointsSystem system : rules.document().pointsSystems()) {
            var numbers = PeriodNumbers.of(CountedDays.ofPoints(state, history, system.number(), days.first()), days);
            points.put(
                    system.key(),
                    new RecapBody.PointsBody(system.key(), system.name(), numbers.change(), numbers.total()));
        }
        return new RecapBody(LocalDate.ofEpochDay(days.first()), LocalDate.ofEpochDay(days.last()), metrics, points);
    }

    private static Map<String, UserPointsBody> points(UserState state, CompiledRuleset rules) {
        var points = new LinkedHashMap<String, UserPointsBody>();
        for (PointsSystem system : rules.document().pointsSystems()) {
            points.put(system.key(), PointsBodies.ofUser(state, system, List.of()));
        }
        return points;
    }

    /** The subject of a message. */
    public sealed interface MessageSubject {

        record Completion(Achievement achievement) implements MessageSubject {}

        /** @param days local dates, as epoch days */
        record Recap(Span days) implements MessageSubject {}

        /** @param number 1 for the first one since the last event; @param days number of days without events */
        record Reactivation(int number, int days) implements MessageSubject {}

        record StreakReminder() implements MessageSubject {}

        default NotificationType type() {
            return switch (this) {
                case Completion _ -> NotificationType.ACHIEVEMENT_COMPLETED;
                case Recap _ -> NotificationType.RECAP;
                case Reactivation _ -> NotificationType.REACTIVATION;
                case StreakReminder _ -> NotificationType.STREAK_REMINDER;
            };
        }
    }
}
