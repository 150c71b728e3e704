package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.ruleset.RulesetSource.EmailSource;
import dev.laurel.schemas.ruleset.RulesetSource.NotificationsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakReminderSource;
import dev.laurel.schemas.ruleset.RulesetSource.TimingSource;
import dev.laurel.schemas.ruleset.RulesetSource.WindowSource;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import static dev.laurel.schemas.ruleset.IssueList.escaped;

/** When users are told, and by whom: admin-api.md B4. */
final class NotificationChecks {

    static final int MAX_REACTIVATIONS = 20;
    static final int MAX_REACTIVATION_DAYS = 1000;
    private static final int MAX_NAME_LENGTH = 255;
    private static final int MAX_ADDRESS_LENGTH = 320;

    /** Narrower than what mail servers take: nothing in it could end the header that it stands in. */
    private static final Pattern ADDRESS = Pattern.compile("[^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]+"
            + "@[^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]+");

    private final SourceChecks checks;
    private final IssueList issues;

    NotificationChecks(SourceChecks checks, IssueList issues) {
        this.checks = checks;
        this.issues = issues;
    }

    void check(NotificationsSource notifications) {
        new TemplateChecks(checks, issues).check(notifications.templates());
        if (notifications.settings() != null) {
            timing("/notifications/settings", notifications.settings());
        }
        if (notifications.channels() != null && notifications.channels().email() != null) {
            email("/notifications/channels/email", notifications.channels().email());
        }
    }

    private void timing(String path, TimingSource timing) {
        issues.oneOf(path + "/recapPeriod", timing.recapPeriod(), words(Notifications.RecapPeriod.values()));
        if (timing.reactivationDays() != null) {
            reactivationDays(path + "/reactivationDays", timing.reactivationDays());
        }
        if (timing.streakReminder() != null) {
            streakReminder(path + "/streakReminder", timing.streakReminder());
        }
        if (timing.achievementWindow() != null) {
            window(path + "/achievementWindow", timing.achievementWindow());
        }
        String[] types = words(NotificationType.values());
        for (Map.Entry<String, Boolean> entry : timing.enabled().entrySet()) {
            String at = path + "/enabled/" + escaped(entry.getKey());
            if (issues.oneOf(at, entry.getKey(), types)) {
                issues.required(at, entry.getValue());
            }
        }
    }

    private void reactivationDays(String path, List<Integer> days) {
        issues.expect(days.size() <= MAX_REACTIVATIONS, path,
                "must have at most " + MAX_REACTIVATIONS + " entries");
        int last = 0;
        for (int i = 0; i < days.size(); i++) {
            Integer day = days.get(i);
            String at = path + "/" + i;
            if (issues.required(at, day)) {
                issues.between(at, day, 1, MAX_REACTIVATION_DAYS);
                issues.expect(day > last || day < 1, at, "must be greater than the one before, " + last);
                last = day;
            }
        }
    }

    private void streakReminder(String path, StreakReminderSource reminder) {
        issues.between(path + "/dailyHoursBefore", reminder.dailyHoursBefore(), 1, 23);
        issues.oneOf(path + "/weeklyDay", reminder.weeklyDay(), words(DayOfWeek.values()));
        checks.time(path + "/weeklyTime", reminder.weeklyTime());
        issues.between(path + "/monthlyDay", reminder.monthlyDay(), 1, 31);
        checks.time(path + "/monthlyTime", reminder.monthlyTime());
    }

    private void window(String path, WindowSource window) {
        LocalTime from = timeOr(path + "/from", window.from(), Notifications.Timing.DEFAULT.achievementWindow().from());
        LocalTime to = timeOr(path + "/to", window.to(), Notifications.Timing.DEFAULT.achievementWindow().to());
        issues.expect(from == null || to == null || from.isBefore(to), path + "/to", "must be after from, " + from);
    }

    /** Null, with an issue, if it is no time. */
    private LocalTime timeOr(String path, String text, LocalTime otherwise) {
        return text == null ? otherwise : checks.time(path, text);
    }

    private void email(String path, EmailSource email) {
        address(path + "/from", email.from());
        checks.text(path + "/fromName", email.fromName(), MAX_NAME_LENGTH);
        checks.oneLine(path + "/fromName", email.fromName());
        address(path + "/replyTo", email.replyTo());
    }

    private void address(String path, String address) {
        issues.expect(address == null || address.length() <= MAX_ADDRESS_LENGTH && ADDRESS.matcher(address).matches(),
                path, "must be an email address, such as team@example.net, of at most " + MAX_ADDRESS_LENGTH
                        + " characters");
        checks.text(path, address, MAX_ADDRESS_LENGTH);
    }

    static String[] words(Enum<?>[] constants) {
        return Arrays.stream(constants).map(IssueList::word).toArray(String[]::new);
    }
}
