package dev.laurel.schemas.wire;

import java.util.Optional;

/**
 * admin-api.md B3.
 *
 * @param rateLimits null if there are none
 * @param multiTenancyEnabled of the whole instance, so whoever answers adds it to what is the tenant's own
 */
public record AccountSettingsBody(int controlRatio, String weekStartsOn, String defaultTimeZone,
        String messageTimeZone, boolean integerLeaderboardValues, boolean applicationKeysEnabled,
        RateLimitsBody rateLimits, BrandingBody branding, Optional<Boolean> multiTenancyEnabled) {

    /** Requests per second, null where there is no limit. */
    public record RateLimitsBody(Integer tier1, Integer tier2) {}

    /** Null for what is not said. */
    public record BrandingBody(String appName, String appUrl, String logoUrl, String brandColor, String font) {}

    public AccountSettingsBody onInstance(boolean hasTenants) {
        return new AccountSettingsBody(controlRatio, weekStartsOn, defaultTimeZone, messageTimeZone,
                integerLeaderboardValues, applicationKeysEnabled, rateLimits, branding, Optional.of(hasTenants));
    }
}
