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
import org.jspecify.annotations.Nullable;

/**
 * Settings of a tenant (docs/admin-api.md B3).
 *
 * @param controlRatio percentage of new users who join the control group, 0 to 100
 * @param defaultTimeZone time zone of users without {@code tz}
 * @param weekStartsOn Sunday or Monday
 * @param integerLeaderboardValues whether responses round values of leaderboards down (docs/application-api.md §2)
 * @param messageTimeZone time zone for messages to users without {@code tz}
 * @param applicationKeysEnabled whether application keys are issued and accepted
 * @param rateLimits null: no limits
 */
public record Settings(int controlRatio, ZoneId defaultTimeZone, DayOfWeek weekStartsOn,
        boolean integerLeaderboardValues, ZoneId messageTimeZone, Boolean applicationKeysEnabled,
        @Nullable RateLimits rateLimits, Branding branding) {

    private static final int MAX_RATE = 1_000_000;

    // Colour and font are inserted into the style of an email, so nothing else must be accepted.
    private static final Pattern COLOR = Pattern.compile("#[0-9A-Fa-f]{6}");
    private static final Pattern FONT = Pattern.compile("[A-Za-z0-9 ,-]{1,255}");

    private static final Kind<RateLimits> RATE_LIMITS = Kind.of("rateLimits", RateLimits.class,
            limit("tier1").about("The limit for events and completions of achievements together.")
                    .adminAbout("Events and completions."),
            limit("tier2").about("The limit for all other calls together.").adminAbout("Everything else."));

    private static final Kind<Branding> BRANDING = Kind.of("branding", Branding.class,
            brand("appName", 255).about("The name of the application."),
            brand("appUrl", 0).must(SharedFields::urlProblem)
                    .about("The URL of the application: an absolute http or https address."),
            brand("logoUrl", 0).must(SharedFields::urlProblem)
                    .about("The URL of its logo: an absolute http or https address."),
            brand("brandColor", 0)
                    .must(color -> COLOR.matcher(color).matches() ? null : "must be a colour such as #1A2B3C")
                    .schema(Map.of("pattern", "^" + COLOR + "$")).about("Its colour, such as #1A2B3C."),
            brand("font", 0)
                    .must(font -> FONT.matcher(font).matches()
                            ? null
                            : "must be names of fonts: 1 to 255 letters, digits, spaces, ',' and '-'")
                    .schema(Map.of("pattern", "^" + FONT + "$"))
                    .about("Names of fonts, in the order of preference."));

    public static final Kind<Settings> KIND = Kind.of("settings", Settings.class,
            Field.count("controlRatio", 0, 100).defaultsTo(0)
                    .about("The percentage of new users who join the control group. Everything is computed for them, but they "
                            + "receive no messages.")
                    .adminAbout("Percentage of new users."),
            Field.zone("defaultTimeZone").defaultsTo("UTC")
                    .schema(Map.of("examples", List.of("UTC", "Europe/Helsinki", "America/New_York")))
                    .about("The IANA time zone of users without one, such as Europe/Helsinki."),
            Field.word("weekStartsOn", DayOfWeek.class, "sunday", "monday").defaultsTo("sunday")
                    .about("The first day of the week in weekly streaks."),
            Field.flag("integerLeaderboardValues").defaultsTo(false)
                    .about("Whether responses round values of leaderboards down to whole numbers, for clients that cannot read "
                            + "fractions."),
            Field.zone("messageTimeZone").defaultsTo("America/New_York")
                    .schema(Map.of("examples", List.of("America/New_York", "Europe/Helsinki")))
                    .about("The IANA time zone for messages to users without one."),
            Field.flag("applicationKeysEnabled").defaultsTo(true)
                    .about("Whether application keys, each of which is valid for one user only, are issued and accepted."),
            Field.part("rateLimits", RATE_LIMITS).clearable().shownMissing(Missing.NULL)
                    .about("Requests per second, counted by each gateway and node separately. Left out: no limits.")
                    .adminAbout("Requests per second; null: no limits."),
            Field.part("branding", BRANDING).defaultsTo(Draft.EMPTY).about("The appearance of messages.")
                    .adminAbout("The appearance of messages."))
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
     * Requests per second of the whole tenant; null: no limit.
     *
     * @param tier1 events and completions
     * @param tier2 all other requests
     */
    public record RateLimits(@Nullable Integer tier1, @Nullable Integer tier2) {}

    /** The appearance of messages. */
    public record Branding(@Nullable String appName, @Nullable String appUrl, @Nullable String logoUrl,
            @Nullable String brandColor, @Nullable String font) {

        public static final Branding NONE = new Branding(null, null, null, null, null);
    }

    public Settings {
        weekStartsOn = weekStartsOn == null ? DayOfWeek.SUNDAY : weekStartsOn;
        // Older documents lack these components.
        messageTimeZone = messageTimeZone == null ? DEFAULT_MESSAGE_ZONE : messageTimeZone;
        applicationKeysEnabled = applicationKeysEnabled == null || applicationKeysEnabled;
        boolean isLimited = rateLimits != null && (rateLimits.tier1() != null || rateLimits.tier2() != null);
        rateLimits = isLimited ? rateLimits : null;
        branding = branding == null ? Branding.NONE : branding;
    }
}
