package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.ruleset.Notifications.RecapPeriod;
import dev.laurel.schemas.ruleset.Notifications.Sender;
import dev.laurel.schemas.ruleset.Notifications.StreakReminder;
import dev.laurel.schemas.ruleset.Notifications.Timing;
import dev.laurel.schemas.ruleset.Notifications.Window;
import dev.laurel.schemas.ruleset.RulesetSource.ChannelsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakReminderSource;
import dev.laurel.schemas.ruleset.RulesetSource.TimingSource;
import dev.laurel.schemas.ruleset.RulesetSource.WindowSource;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.EnumMap;

import static dev.laurel.schemas.ruleset.FromSource.constant;
import static dev.laurel.schemas.ruleset.FromSource.or;

/** The part of {@link FromSource} about when users are told and by whom. */
final class NotificationsFromSource {

    private NotificationsFromSource() {}

    static Timing timing(TimingSource source) {
        Timing usual = Timing.DEFAULT;
        if (source == null) {
            return usual;
        }
        var enabled = new EnumMap<NotificationType, Boolean>(NotificationType.class);
        source.enabled().forEach((type, isOn) -> enabled.put(constant(NotificationType.class, type), isOn));
        return new Timing(
                source.recapPeriod() == null
                        ? usual.recapPeriod()
                        : constant(RecapPeriod.class, source.recapPeriod()),
                or(source.reactivationDays(), usual.reactivationDays()), streakReminder(source.streakReminder()),
                window(source.achievementWindow()), enabled);
    }

    private static StreakReminder streakReminder(StreakReminderSource source) {
        StreakReminder usual = Timing.DEFAULT.streakReminder();
        if (source == null) {
            return usual;
        }
        return new StreakReminder(or(source.dailyHoursBefore(), usual.dailyHoursBefore()),
                source.weeklyDay() == null ? usual.weeklyDay() : constant(DayOfWeek.class, source.weeklyDay()),
                time(source.weeklyTime(), usual.weeklyTime()), or(source.monthlyDay(), usual.monthlyDay()),
                time(source.monthlyTime(), usual.monthlyTime()));
    }

    private static Window window(WindowSource source) {
        Window usual = Timing.DEFAULT.achievementWindow();
        return source == null
                ? usual
                : new Window(time(source.from(), usual.from()), time(source.to(), usual.to()));
    }

    private static LocalTime time(String text, LocalTime otherwise) {
        return text == null ? otherwise : LocalTime.parse(text);
    }

    static Sender sender(ChannelsSource source) {
        return source == null || source.email() == null
                ? Sender.NONE
                : new Sender(source.email().from(), source.email().fromName(), source.email().replyTo());
    }
}
