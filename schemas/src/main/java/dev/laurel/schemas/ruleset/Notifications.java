package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings and templates of messages by email and push (docs/admin-api.md B4). The credentials of the services that send
 * messages are secrets and not part of the ruleset.
 */
public record Notifications(List<Template> templates, Timing timing, Sender sender) {

    public static final Notifications NONE = new Notifications(List.of(), Timing.DEFAULT, Sender.NONE);

    public Notifications {
        templates = List.copyOf(templates);
    }

    /** The period that a recap covers. */
    public enum RecapPeriod {
        DAILY,
        WEEKLY,
        MONTHLY,
        YEARLY;

        /** The nearest of the two periods that {@code aggregationPeriod} of the account settings may name. */
        public RecapPeriod aggregation() {
            return switch (this) {
                case DAILY, WEEKLY -> WEEKLY;
                case MONTHLY, YEARLY -> MONTHLY;
            };
        }
    }

    /**
     * The times at which messages are due, in the user's local time (docs/webhooks.md §3).
     *
     * @param reactivationDays days after the last event, ascending
     * @param achievementWindow times of day at which messages about achievements may be sent
     * @param enabled whether a type of message is on; absent types are on
     */
    public record Timing(
            RecapPeriod recapPeriod,
            List<Integer> reactivationDays,
            StreakReminder streakReminder,
            Window achievementWindow,
            Map<NotificationType, Boolean> enabled) {

        private static final int MAX_REACTIVATIONS = 20;
        private static final int MAX_REACTIVATION_DAYS = 1000;

        /** docs/admin-api.md B4. */
        public static final Kind<Timing> KIND = Kind.of(
                        "timing",
                        Timing.class,
                        // The period that a recap covers. The recap is due on the first day after the period.
                        Field.word("recapPeriod", RecapPeriod.class).defaultsTo("weekly"),
                        // Numbers of days after a user's last event at which a reactivation message is due, in
                        // ascending order. Empty: never.
                        Field.counts("reactivationDays", 1, MAX_REACTIVATION_DAYS, MAX_REACTIVATIONS)
                                .defaultsTo(List.of(3, 5, 7, 14, 30))
                                .schema(Map.of("uniqueItems", true)),
                        // When users are reminded of a streak that they have not extended in the current period.
                        Field.part("streakReminder", StreakReminder.KIND).defaultsTo(FieldMap.EMPTY),
                        // The times of day at which messages about achievements may be sent.
                        Field.part("achievementWindow", Window.KIND).defaultsTo(FieldMap.EMPTY),
                        // Whether messages are sent, by type. A type that is left out is on.
                        // API: By type; a type that is left out is on.
                        Field.flags("enabled", NotificationType.class))
                .check(Timing::ascending);

        private static void ascending(IssueList issues, String path, FieldMap timing) {
            int last = 0;
            for (int i = 0; i < timing.list("reactivationDays").size(); i++) {
                if (timing.list("reactivationDays").get(i) instanceof Integer day) {
                    issues.expect(
                            day > last || day < 1,
                            path + "/reactivationDays/" + i,
                            "must be greater than the one before, " + last);
                    last = day;
                }
            }
        }

        public static final Timing DEFAULT = KIND.make(FieldMap.EMPTY, Map.of());

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
     * The times at which users are reminded of a streak that they have not extended in the current period.
     *
     * @param dailyHoursBefore hours before midnight
     * @param monthlyDay day of the month; the last day in shorter months
     */
    public record StreakReminder(
            int dailyHoursBefore, DayOfWeek weeklyDay, LocalTime weeklyTime, int monthlyDay, LocalTime monthlyTime) {

        private static final Kind<StreakReminder> KIND = Kind.of(
                "streakReminder",
                StreakReminder.class,
                // For a daily streak: hours before midnight.
                Field.count("dailyHoursBefore", 1, 23).defaultsTo(4).ranged(),
                // For a weekly streak: the day of the week.
                Field.word("weeklyDay", DayOfWeek.class).defaultsTo("friday"),
                // For a weekly streak: the time of day.
                Field.timeOfDay("weeklyTime").defaultsTo("09:00"),
                // For a monthly streak: the day of the month; the last day in shorter months.
                Field.count("monthlyDay", 1, 31).defaultsTo(25).ranged(),
                // For a monthly streak: the time of day.
                Field.timeOfDay("monthlyTime").defaultsTo("09:00"));
    }

    /** A range of times of day. @param to exclusive */
    public record Window(LocalTime from, LocalTime to) {

        private static final Kind<Window> KIND = Kind.of(
                        "achievementWindow",
                        Window.class,
                        // The first time of day.
                        Field.timeOfDay("from").defaultsTo("17:00"),
                        // The time of day at which the window ends, after 'from'.
                        Field.timeOfDay("to").defaultsTo("21:00"))
                .check(Window::ascending);

        private static void ascending(IssueList issues, String path, FieldMap window) {
            SharedFields.checkTimes(
                    issues,
                    path,
                    "from",
                    window.has("from") ? window.text("from") : "17:00",
                    "to",
                    window.has("to") ? window.text("to") : "21:00");
        }
    }

    /** The sender of emails. @param from address; without it no emails are sent */
    public record Sender(
            @Nullable String from,
            @Nullable String fromName,
            @Nullable String replyTo) {

        private static final int MAX_LENGTH = 320;

        /** Stricter than mail servers, so that no address can end the header that contains it. */
        private static final Pattern ADDRESS =
                Pattern.compile("[^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]+" + "@[^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]+");

        /** docs/admin-api.md B4. */
        public static final Kind<Sender> KIND = Kind.of(
                "email",
                Sender.class,
                // The sender address of emails. Left out: no emails are sent.
                address("from"),
                // The sender name of emails.
                Field.text("fromName", 255)
                        .must(SharedFields::lineProblem)
                        .clearable()
                        .shownMissing(Missing.NULL)
                        .schema(Map.of("pattern", "^[^\\u0000-\\u001F\\u007F-\\u009F]*$")),
                // The address for replies. Left out: that of 'from'.
                address("replyTo"));

        private static Field address(String name) {
            return Field.text(name)
                    .must(Sender::addressProblem)
                    .clearable()
                    .shownMissing(Missing.NULL)
                    .schema(Map.of(
                            "maxLength",
                            MAX_LENGTH,
                            "pattern",
                            "^[^\\s\\u0000-\\u001F\\u007F@<>\"(),:;\\\\\\[\\]]+@"
                                    + "[^\\s\\u0000-\\u001F\\u007F@<>\"(),:;\\\\\\[\\]]+$"));
        }

        private static @Nullable String addressProblem(String address) {
            if (address.length() > MAX_LENGTH || !ADDRESS.matcher(address).matches()) {
                return "must be an email address, such as team@example.net, of at most " + MAX_LENGTH + " characters";
            }
            return UnicodeText.isWellFormed(address) ? null : "must be valid Unicode text";
        }

        public static final Sender NONE = new Sender(null, null, null);
    }

    /** The channels of messages; in lower case on the wire. */
    public enum NotificationChannel {
        EMAIL,
        PUSH
    }

    /** The types of messages (docs/semantics.md §8); in lower case on the wire. */
    public enum NotificationType {
        ACHIEVEMENT_COMPLETED,
        RECAP,
        REACTIVATION,
        STREAK_REMINDER
    }
}
