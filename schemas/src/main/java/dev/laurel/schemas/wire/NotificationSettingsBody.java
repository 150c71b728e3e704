package dev.laurel.schemas.wire;

import java.util.List;
import java.util.Map;

/** admin-api.md B4. Times are {@code HH:mm}, with seconds where they have some. @param enabled by type of notification */
public record NotificationSettingsBody(String recapPeriod, List<Integer> reactivationDays,
        StreakReminderBody streakReminder, WindowBody achievementWindow, Map<String, Boolean> enabled) {

    public record StreakReminderBody(int dailyHoursBefore, String weeklyDay, String weeklyTime, int monthlyDay,
            String monthlyTime) {}

    public record WindowBody(String from, String to) {}
}
