package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.NotificationType;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What users are told by email and push, when and from whom (admin-api.md B4). What it takes to reach the services that carry
 * messages is secret and no part of it.
 */
public record Notifications(List<Template> templates, Timing timing, Sender sender) {

    public static final Notifications NONE = new Notifications(List.of(), Timing.DEFAULT, Sender.NONE);

    public Notifications {
        templates = List.copyOf(templates);
    }

    /** How much of the past a recap tells. */
    public enum RecapPeriod {
        DAILY, WEEKLY, MONTHLY, YEARLY
    }

    /**
     * When messages are due, in the user's local time (webhooks.md §3).
     *
     * @param reactivationDays days after the last event, ascending
     * @param achievementWindow when users may be told of achievements
     * @param enabled types that are switched on or off; one that is not named is on
     */
    public record Timing(RecapPeriod recapPeriod, List<Integer> reactivationDays, StreakReminder streakReminder,
            Window achievementWindow, Map<NotificationType, Boolean> enabled) {

        public static final Timing DEFAULT = new Timing(RecapPeriod.WEEKLY, List.of(3, 5, 7, 14, 30),
                new StreakReminder(4, DayOfWeek.FRIDAY, LocalTime.of(9, 0), 25, LocalTime.of(9, 0)),
                new Window(LocalTime.of(17, 0), LocalTime.of(21, 0)), Map.of());

        public Timing {
            reactivationDays = List.copyOf(reactivationDays);
            var ordered = new EnumMap<NotificationType, Boolean>(NotificationType.class);
            ordered.putAll(enabled);
            enabled = Collections.unmodifiableMap(ordered);
        }

        public boolean isEnabled(NotificationType type) {
            return enabled.getOrDefault(type, true);
        }
    }

    /**
     * When users are reminded of a streak that they have not extended yet, by how often it must be.
     *
     * @param dailyHoursBefore hours before midnight
     * @param monthlyDay the last day in months that are shorter
     */
    public record StreakReminder(int dailyHoursBefore, DayOfWeek weeklyDay, LocalTime weeklyTime, int monthlyDay,
            LocalTime monthlyTime) {}

    /** Times of one day, {@code to} excluded. */
    public record Window(LocalTime from, LocalTime to) {}

    /** Whom emails are from; null for what is not said. @param from without it no email goes out */
    public record Sender(String from, String fromName, String replyTo) {

        public static final Sender NONE = new Sender(null, null, null);
    }
}
