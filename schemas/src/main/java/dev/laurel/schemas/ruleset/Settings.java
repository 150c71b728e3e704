package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.Kind;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Settings of a tenant (docs/admin-api.md B3).
 *
 * @param controlRatio percent of new users put in the control group, 0 to 100
 * @param defaultTimeZone the zone of users without {@code tz}
 * @param weekStartsOn Sunday or Monday
 * @param integerLeaderboardValues whether values of leaderboards are floored on the wire (docs/application-api.md §2)
 * @param messageTimeZone the zone by which messages go out to users without {@code tz}
 * @param applicationKeysEnabled whether application keys are given out and taken
 * @param rateLimits null: there are none
 */
public record Settings(int controlRatio, ZoneId defaultTimeZone, DayOfWeek weekStartsOn,
        boolean integerLeaderboardValues, ZoneId messageTimeZone, Boolean applicationKeysEnabled,
        RateLimits rateLimits, Branding branding) {

    private static final int MAX_RATE = 1_000_000;

    /** Both end up in the style of an email: nothing else must be able to stand there. */
    private static final Pattern COLOR = Pattern.compile("#[0-9A-Fa-f]{6}");
    private static final Pattern FONT = Pattern.compile("[A-Za-z0-9 ,-]{1,255}");

    private static final Kind<RateLimits> RATE_LIMITS = Kind.of("rateLimits", RateLimits.class,
            limit("tier1").about("Of events and of completions of achievements, together.")
                    .adminAbout("Events and completions."),
            limit("tier2").about("Of all other calls, together.").adminAbout("Everything else."));

    private static final Kind<Branding> BRANDING = Kind.of("branding", Branding.class,
            brand("appName", 255).about("What the application is called."),
            brand("appUrl", 0).must(SharedFields::urlProblem)
                    .about("Where the application is: an absolute http or https address."),
            brand("logoUrl", 0).must(SharedFields::urlProblem)
                    .about("Where its logo is: an absolute http or https address."),
            brand("brandColor", 0)
                    .must(color -> COLOR.matcher(color).matches() ? null : "must be a colour such as #1A2B3C")
                    .schema(Map.of("pattern", "^" + COLOR + "$")).about("Its colour, such as #1A2B3C."),
            brand("font", 0)
                    .must(font -> FONT.matcher(font).matches()
                            ? null
                            : "must be names of fonts: 1 to 255 letters, digits, spaces, ',' and '-'")
                    .schema(Map.of("pattern", "^" + FONT + "$"))
                    .about("Names of fonts, the first that a reader has is used."));

    public static final Kind<Settings> KIND = Kind.of("settings", Settings.class,
            Field.count("controlRatio", 0, 100).defaultsTo(0)
                    .about("Percent of new users who are put into the control group: they compute everything and are sent "
                            + "nothing.")
                    .adminAbout("Percent of new users."),
            Field.zone("defaultTimeZone").defaultsTo("UTC")
                    .schema(Map.of("examples", List.of("UTC", "Europe/Helsinki", "America/New_York")))
                    .about("The IANA time zone of users who have none, such as Europe/Helsinki."),
            Field.word("weekStartsOn", DayOfWeek.class, "sunday", "monday").defaultsTo("sunday")
                    .about("The first day of a week of streaks."),
            Field.flag("integerLeaderboardValues").defaultsTo(false)
                    .about("Whether values of leaderboards are answered as whole numbers, rounded down, for clients that cannot "
                            + "read others."),
            Field.zone("messageTimeZone").defaultsTo("America/New_York")
                    .schema(Map.of("examples", List.of("America/New_York", "Europe/Helsinki")))
                    .about("The IANA time zone by which messages go out to users who have none."),
            Field.flag("applicationKeysEnabled").defaultsTo(true)
                    .about("Whether application keys, which reach one user only, are given out and taken."),
            Field.part("rateLimits", RATE_LIMITS).clearable().shownMissing(Missing.NULL)
                    .about("Requests per second, counted by each gateway and node for itself. Left out: no limits.")
                    .adminAbout("Requests per second; null if there is no limit."),
            Field.part("branding", BRANDING).defaultsTo(Draft.EMPTY).about("How messages look.")
                    .adminAbout("Used in messages."))
            .shown("controlRatio", "weekStartsOn", "defaultTimeZone", "messageTimeZone", "integerLeaderboardValues",
                    "applicationKeysEnabled", "rateLimits", "branding");

    private static Field limit(String name) {
        return Field.count(name, 1, MAX_RATE).clearable().shownMissing(Missing.NULL);
    }

    private static Field brand(String name, int max) {
        return Field.text(name, max).clearable().shownMissing(Missing.NULL);
    }

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
