package dev.laurel.schemas.ruleset;

import java.time.DayOfWeek;
import java.time.ZoneId;

/**
 * Settings of a tenant that rules depend on.
 *
 * @param controlRatio percent of new users put in the control group, 0 to 100
 * @param defaultTimeZone the zone of users without {@code tz}
 * @param weekStartsOn Sunday or Monday
 * @param integerLeaderboardValues whether values of leaderboards are floored on the wire (application-api.md §2)
 */
public record Settings(int controlRatio, ZoneId defaultTimeZone, DayOfWeek weekStartsOn,
        boolean integerLeaderboardValues) {

    public static final Settings DEFAULT = new Settings(0, ZoneId.of("UTC"), DayOfWeek.SUNDAY, false);

    public Settings {
        weekStartsOn = weekStartsOn == null ? DayOfWeek.SUNDAY : weekStartsOn;
    }
}
