package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What users are told by email and push, when and from whom (docs/admin-api.md B4). What it takes to reach the services that carry
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
     * When messages are due, in the user's local time (docs/webhooks.md §3).
     *
     * @param reactivationDays days after the last event, ascending
     * @param achievementWindow when users may be told of achievements
     * @param enabled types that are switched on or off; one that is not named is on
     */
    public record Timing(RecapPeriod recapPeriod, List<Integer> reactivationDays, StreakReminder streakReminder,
            Window achievementWindow, Map<NotificationType, Boolean> enabled) {

        private static final int MAX_REACTIVATIONS = 20;
        private static final int MAX_REACTIVATION_DAYS = 1000;

        /** docs/admin-api.md B4. */
        public static final Kind<Timing> KIND = Kind.of("timing", Timing.class,
                Field.word("recapPeriod", RecapPeriod.class).defaultsTo("weekly")
                        .about("How much of the past a recap tells; it is due on the first day after."),
                Field.counts("reactivationDays", 1, MAX_REACTIVATION_DAYS, MAX_REACTIVATIONS)
                        .defaultsTo(List.of(3, 5, 7, 14, 30)).schema(Map.of("uniqueItems", true))
                        .about("How many days after a user's last event a message asks the user back, each number greater than "
                                + "the one before. Empty: never."),
                Field.part("streakReminder", StreakReminder.KIND).defaultsTo(Draft.EMPTY)
                        .about("When users are reminded of a streak that they have not extended yet."),
                Field.part("achievementWindow", Window.KIND).defaultsTo(Draft.EMPTY)
                        .about("When users may be told of achievements."),
                Field.flags("enabled", NotificationType.class)
                        .about("Whether messages go out at all, by their type. A type that is left out is on.")
                        .adminAbout("By type; absent means true."))
                .check(Timing::ascending);

        private static void ascending(IssueList issues, String path, Draft timing) {
            int last = 0;
            for (int i = 0; i < timing.list("reactivationDays").size(); i++) {
                if (timing.list("reactivationDays").get(i) instanceof Integer day) {
                    issues.expect(day > last || day < 1, path + "/reactivationDays/" + i,
                            "must be greater than the one before, " + last);
                    last = day;
                }
            }
        }

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
            LocalTime monthlyTime) {

        private static final Kind<StreakReminder> KIND = Kind.of("streakReminder", StreakReminder.class,
                Field.count("dailyHoursBefore", 1, 23).defaultsTo(4).ranged()
                        .about("Of a daily streak: hours before midnight."),
                Field.word("weeklyDay", DayOfWeek.class).defaultsTo("friday").about("Of a weekly streak: the day."),
                Field.timeOfDay("weeklyTime").defaultsTo("09:00").about("Of a weekly streak: the time of that day."),
                Field.count("monthlyDay", 1, 31).defaultsTo(25).ranged()
                        .about("Of a monthly streak: the day of the month, the last one in months that are shorter."),
                Field.timeOfDay("monthlyTime").defaultsTo("09:00").about("Of a monthly streak: the time of that day."));
    }

    /** Times of one day, {@code to} excluded. */
    public record Window(LocalTime from, LocalTime to) {

        private static final Kind<Window> KIND = Kind.of("achievementWindow", Window.class,
                Field.timeOfDay("from").defaultsTo("17:00").about("From this time of day on."),
                Field.timeOfDay("to").defaultsTo("21:00").about("Until this time of day, after 'from'."))
                .check(Window::ascending);

        private static void ascending(IssueList issues, String path, Draft window) {
            String from = (String) window.values().getOrDefault("from", "17:00");
            String to = (String) window.values().getOrDefault("to", "21:00");
            issues.expect(!TimeOfDay.isTime(from) || !TimeOfDay.isTime(to)
                    || LocalTime.parse(from).isBefore(LocalTime.parse(to)), path + "/to",
                    "must be after from, " + from);
        }
    }

    /** Whom emails are from; null for what is not said. @param from without it no email goes out */
    public record Sender(String from, String fromName, String replyTo) {

        private static final int MAX_LENGTH = 320;

        /** Narrower than what mail servers take: nothing in it could end the header that it stands in. */
        private static final Pattern ADDRESS = Pattern.compile("[^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]+"
                + "@[^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]+");

        /** docs/admin-api.md B4. */
        public static final Kind<Sender> KIND = Kind.of("email", Sender.class,
                address("from").about("The address that emails are from. Left out: no emails go out."),
                Field.text("fromName", 255).must(SharedFields::lineProblem).clearable().shownMissing(Missing.NULL)
                        .schema(Map.of("pattern", "^[^\\u0000-\\u001F\\u007F-\\u009F]*$")).about("Its name."),
                address("replyTo").about("Where answers go. Left out: to 'from'."));

        private static Field address(String name) {
            return Field.text(name).must(Sender::addressProblem).clearable().shownMissing(Missing.NULL)
                    .schema(Map.of("maxLength", MAX_LENGTH, "pattern",
                            "^[^\\s\\u0000-\\u001F\\u007F@<>\"(),:;\\\\\\[\\]]+@[^\\s\\u0000-\\u001F\\u007F@<>\"(),:;\\\\\\[\\]]+$"));
        }

        private static String addressProblem(String address) {
            if (address.length() > MAX_LENGTH || !ADDRESS.matcher(address).matches()) {
                return "must be an email address, such as team@example.net, of at most " + MAX_LENGTH + " characters";
            }
            return UnicodeText.isWellFormed(address) ? null : "must be valid Unicode text";
        }

        public static final Sender NONE = new Sender(null, null, null);
    }

    /** How a user can be told; on the wire in lower case. */
    public enum NotificationChannel {
        EMAIL, PUSH
    }

    /** What a user can be told of (docs/semantics.md §8); on the wire in lower case. */
    public enum NotificationType {
        ACHIEVEMENT_COMPLETED, RECAP, REACTIVATION, STREAK_REMINDER
    }
}
