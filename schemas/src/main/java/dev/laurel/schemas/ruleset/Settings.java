package dev.laurel.schemas.ruleset;

import java.time.DayOfWeek;
import java.time.ZoneId;

/**
 * Settings of a tenant (admin-api.md B3).
 *
 * @param controlRatio percent of new users put in the control group, 0 to 100
 * @param defaultTimeZone the zone of users without {@code tz}
 * @param weekStartsOn Sunday or Monday
 * @param integerLeaderboardValues whether values of leaderboards are floored on the wire (application-api.md §2)
 * @param messageTimeZone the zone by which messages go out to users without {@code tz}
 * @param applicationKeysEnabled whether application keys are given out and taken
 * @param rateLimits null: there are none
 */
public record Settings(int controlRatio, ZoneId defaultTimeZone, DayOfWeek weekStartsOn,
        boolean integerLeaderboardValues, ZoneId messageTimeZone, Boolean applicationKeysEnabled,
        RateLimits rateLimits, Branding branding) {

    static final ZoneId DEFAULT_MESSAGE_ZONE = ZoneId.of("America/New_York");

    public static final Settings DEFAULT = new Settings(0, ZoneId.of("UTC"), DayOfWeek.SUNDAY, false,
            DEFAULT_MESSAGE_ZONE, true, null, Branding.NONE);

    /**
     * Requests per second, of the whole tenant; null where there is no limit.
     *
     * @param tier1 of events and completions
     * @param tier2 of everything else
     */
    public record RateLimits(Integer tier1, Integer tier2) {}

    /** How messages look; null for what is not said. */
    public record Branding(String appName, String appUrl, String logoUrl, String brandColor, String font) {

        public static final Branding NONE = new Branding(null, null, null, null, null);
    }

    public Settings {
        weekStartsOn = weekStartsOn == null ? DayOfWeek.SUNDAY : weekStartsOn;
        // Documents of the time before there were these.
        messageTimeZone = messageTimeZone == null ? DEFAULT_MESSAGE_ZONE : messageTimeZone;
        applicationKeysEnabled = applicationKeysEnabled == null || applicationKeysEnabled;
        boolean isLimited = rateLimits != null && (rateLimits.tier1() != null || rateLimits.tier2() != null);
        rateLimits = isLimited ? rateLimits : null;
        branding = branding == null ? Branding.NONE : branding;
    }
}
