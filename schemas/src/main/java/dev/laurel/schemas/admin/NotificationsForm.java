package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Notifications.StreakReminder;
import dev.laurel.schemas.ruleset.Notifications.Timing;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.StreakReminderSource;
import dev.laurel.schemas.ruleset.RulesetSource.TimingSource;
import dev.laurel.schemas.ruleset.RulesetSource.WindowSource;
import dev.laurel.schemas.wire.NotificationSettingsBody;
import dev.laurel.schemas.wire.NotificationSettingsBody.StreakReminderBody;
import dev.laurel.schemas.wire.NotificationSettingsBody.WindowBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** When users are told (admin-api.md B4, {@code /notifications/settings}). What is inside an object is merged as well. */
final class NotificationsForm implements SettingsForm {

    private static final TimingSource USUAL = new TimingSource(null, null, null, null, null);
    private static final int MAX_DAYS = 100;
    private static final int MAX_TYPES = 100;

    @Override
    public void patch(SourceDraft draft, AccessDraft access, Item item) throws BadInputException {
        TimingSource before = draft.timing == null ? USUAL : draft.timing;
        draft.timing = new TimingSource(SharedFields.text(item, "recapPeriod", before.recapPeriod()),
                days(item, before.reactivationDays()), streakReminder(item, before.streakReminder()),
                window(item, before.achievementWindow()), enabled(item, before.enabled()));
    }

    private static List<Integer> days(Item item, List<Integer> before) throws BadInputException {
        List<Object> given = item.list("reactivationDays", MAX_DAYS);
        if (given == null) {
            return before;
        }
        var days = new ArrayList<Integer>();
        for (Object day : given) {
            if (!(day instanceof Integer number)) {
                throw item.bad("reactivationDays", "must be whole numbers of days");
            }
            days.add(number);
        }
        return days;
    }

    private static StreakReminderSource streakReminder(Item item, StreakReminderSource before)
            throws BadInputException {
        Item given = item.object("streakReminder");
        if (given == null) {
            return before;
        }
        var from = before == null ? new StreakReminderSource(null, null, null, null, null) : before;
        return new StreakReminderSource(or(given.integer("dailyHoursBefore", 1, 23), from.dailyHoursBefore()),
                SharedFields.text(given, "weeklyDay", from.weeklyDay()),
                SharedFields.text(given, "weeklyTime", from.weeklyTime()),
                or(given.integer("monthlyDay", 1, 31), from.monthlyDay()),
                SharedFields.text(given, "monthlyTime", from.monthlyTime()));
    }

    private static WindowSource window(Item item, WindowSource before) throws BadInputException {
        Item given = item.object("achievementWindow");
        if (given == null) {
            return before;
        }
        var from = before == null ? new WindowSource(null, null) : before;
        return new WindowSource(SharedFields.text(given, "from", from.from()),
                SharedFields.text(given, "to", from.to()));
    }

    /** A type that is null is no longer named. */
    private static Map<String, Boolean> enabled(Item item, Map<String, Boolean> before) throws BadInputException {
        Item given = item.object("enabled");
        if (given == null) {
            return before;
        }
        var enabled = new LinkedHashMap<>(before);
        for (String type : given.names(MAX_TYPES)) {
            if (given.isNull(type)) {
                enabled.remove(type);
            } else {
                enabled.put(type, given.bool(type));
            }
        }
        return enabled;
    }

    private static <T> T or(T given, T before) {
        return given == null ? before : given;
    }

    @Override
    public String place() {
        return "/notifications/settings";
    }

    @Override
    public NotificationSettingsBody body(Ruleset ruleset, AccessDraft access) {
        Timing timing = ruleset.notifications().timing();
        StreakReminder reminder = timing.streakReminder();
        var enabled = new LinkedHashMap<String, Boolean>();
        timing.enabled().forEach((type, isOn) -> enabled.put(word(type), isOn));
        return new NotificationSettingsBody(word(timing.recapPeriod()), timing.reactivationDays(),
                new StreakReminderBody(reminder.dailyHoursBefore(), word(reminder.weeklyDay()),
                        reminder.weeklyTime().toString(), reminder.monthlyDay(), reminder.monthlyTime().toString()),
                new WindowBody(timing.achievementWindow().from().toString(),
                        timing.achievementWindow().to().toString()),
                enabled);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
