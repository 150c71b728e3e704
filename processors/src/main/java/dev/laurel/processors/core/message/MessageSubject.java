package dev.laurel.processors.core.message;

import dev.laurel.processors.core.rules.CalendarYear.Span;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.ruleset.Achievement;

/** What a message is about. */
public sealed interface MessageSubject {

    record Completion(Achievement achievement) implements MessageSubject {}

    /** @param days local dates, as epoch days */
    record Recap(Span days) implements MessageSubject {}

    /** @param number 1 for the first since the last event; @param days that the user has not been active */
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
