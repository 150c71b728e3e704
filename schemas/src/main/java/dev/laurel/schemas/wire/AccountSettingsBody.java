package dev.laurel.schemas.wire;

/**
 * admin-api.md B3.
 *
 * @param rateLimits null if there are none
 * @param multiTenancyEnabled of the whole instance
 */
public record AccountSettingsBody(int controlRatio, String weekStartsOn, String defaultTimeZone,
        String messageTimeZone, boolean integerLeaderboardValues, boolean applicationKeysEnabled,
        RateLimitsBody rateLimits, BrandingBody branding, boolean multiTenancyEnabled) {

    /** Requests per second, null where there is no limit. */
    public record RateLimitsBody(Integer tier1, Integer tier2) {}

    /** Null for what is not said. */
    public record BrandingBody(String appName, String appUrl, String logoUrl, String brandColor, String font) {}
}
