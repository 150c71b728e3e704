package dev.laurel.schemas.ruleset;

import java.time.ZoneId;

/**
 * Settings of a tenant that rules depend on.
 *
 * @param controlRatio percent of new users put in the control group, 0 to 100
 * @param defaultTimeZone the zone of users without {@code tz}
 */
public record Settings(int controlRatio, ZoneId defaultTimeZone) {

    public static final Settings DEFAULT = new Settings(0, ZoneId.of("UTC"));
}
