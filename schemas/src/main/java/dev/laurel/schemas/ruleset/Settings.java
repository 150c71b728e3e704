package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.Kind;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
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
 * @param userActivationWindow number of days, from its creation, in which a user counts as new
 * @param analyticsRetentionDays for how many days counters of analytics are kept
 * @param trackOpens whether opens of emails are counted
 * @param trackClicks whether clicks on links in emails are counted
 */
public record Settings(
        int controlRatio,
        ZoneId defaultTimeZone,
        DayOfWeek weekStartsOn,
        boolean integerLeaderboardValues,
        ZoneId messageTimeZone,
        Boolean applicationKeysEnabled,
        @Nullable RateLimits rateLimits,
        Branding branding,
        Integer userActivationWindow,
        Integer analyticsRetentionDays,
        Boolean trackOpens,
        Boolean trackClicks) {

    private static final int MAX_RATE = 1_000_000;
    private static final int DEFAULT_ACTIVATION_WINDOW = 14;
    private static final int DEFAULT_ANALYTICS_DAYS = 1_096;

    // Colour and font are inserted into the style of an email, so nothing else must be accepted.
    private static final Pattern COLOR = Pattern.compile("#(?:[0-9A-Fa-f]{3}){1,2}|" + BrandColor.RGB);
    private static final Pattern FONT = Pattern.compile("[A-Za-z0-9 ,-]{1,255}");

    /** The families by the words for them, in CSS; the first is the default. */
    private static final Map<String, String> FAMILIES = families();

    private static final Kind<RateLimits> RATE_LIMITS = Kind.of(
            "rateLimits",
            RateLimits.class,
            // The limit for events and completions of achievements together.
            // API: Events and completions.
            limit("tier1"),
            // The limit for all other calls together.
            // API: Everything else.
            limit("tier2"));

    private static final Kind<Branding> BRANDING = Kind.of(
            "branding",
            Branding.class,
            // The name of the application.
            brand("appName", 255, ""),
            // The URL of the application: an absolute http or https address.
            brand("appUrl", 0, "").must(SharedFields::urlProblem),
            // The URL of its logo: an absolute http or https address.
            brand("logoUrl", 0, Missing.NULL).alsoNamed("logo.url").must(SharedFields::urlProblem),
            // The URL of its icon: an absolute http or https address. Shown where there is no logo.
            brand("appIconUrl", 0, Missing.NULL).adminName("appIcon.url").must(SharedFields::urlProblem),
            // Its colour, such as #1A2B3C, #1AC, rgb(26, 43, 60) or rgba(26, 43, 60, 0.5). Left out: #2f6f4f.
            brand("brandColor", 0, BrandColor.DEFAULT)
                    .must(color -> COLOR.matcher(color).matches()
                            ? null
                            : "must be a colour such as #1A2B3C, #1AC, rgb(26, 43, 60) or rgba(26, 43, 60, 0.5)")
                    .schema(Map.of("pattern", "^(?:" + COLOR + ")$")),
            // A family: MODERN_SANS, BOOK_SANS, ORGANIC_SANS, GEOMETRIC_SANS, HEAVY_SANS, ROUNDED_SANS, MODERN_SERIF,
            // BOOK_SERIF,
            // MONOSPACE; or names of fonts, in the order of preference. Left out: MODERN_SANS.
            brand("font", 0, FAMILIES.keySet().iterator().next())
                    .must(font ->
                            FAMILIES.containsKey(font) || FONT.matcher(font).matches()
                                    ? null
                                    : "must be one of " + String.join(", ", FAMILIES.keySet())
                                            + ", or names of fonts: 1 to 255 letters, digits, spaces, ',' and '-'")
                    .schema(Map.of("pattern", "^(?:" + String.join("|", FAMILIES.keySet()) + "|" + FONT + ")$")));

    public static final Kind<Settings> KIND = Kind.of(
                    "settings",
                    Settings.class,
                    // The percentage of new users who join the control group. Everything is computed for them, but they
                    // receive no messages.
                    // API: Percentage of new users.
                    Field.count("controlRatio", 0, 100).defaultsTo(0).alsoNamed("experimentation.controlRatio"),
                    // The number of days, from the creation of a user, in which the user counts as new in reports of
                    // analytics. No rule depends
                    // on it.
                    // API: Days from its creation in which a user counts as new in reports.
                    Field.count("userActivationWindow", 3, 30)
                            .defaultsTo(DEFAULT_ACTIVATION_WINDOW)
                            .adminName("experimentation.userActivationWindow"),
                    // For how many days the counters of analytics are kept.
                    // API: Days for which counters of analytics are kept.
                    Field.count("analyticsRetentionDays", 91, 36_525).defaultsTo(DEFAULT_ANALYTICS_DAYS),
                    // Whether opens of emails are counted, by an invisible image. Never for users who have
                    // unsubscribed.
                    Field.flag("trackOpens").defaultsTo(false),
                    // Whether clicks on links in emails are counted, by links that lead through this instance. Never
                    // for users who have
                    // unsubscribed.
                    Field.flag("trackClicks").defaultsTo(false),
                    // The IANA time zone of users without one, such as Europe/Helsinki.
                    Field.zone("defaultTimeZone")
                            .defaultsTo("UTC")
                            .schema(Map.of("examples", List.of("UTC", "Europe/Helsinki", "America/New_York"))),
                    // The first day of the week in weekly streaks.
                    Field.word("weekStartsOn", DayOfWeek.class, "sunday", "monday")
                            .defaultsTo("sunday"),
                    // Whether responses round values of leaderboards down to whole numbers, for clients that cannot
                    // read fractions.
                    Field.flag("integerLeaderboardValues").defaultsTo(false),
                    // The IANA time zone for messages to users without one.
                    Field.zone("messageTimeZone")
                            .defaultsTo("America/New_York")
                            .schema(Map.of("examples", List.of("America/New_York", "Europe/Helsinki"))),
                    // Whether application keys, each of which is valid for one user only, are issued and accepted.
                    Field.flag("applicationKeysEnabled").defaultsTo(true),
                    // Requests per second, shared by the gateways; each node accepts all of them. Left out: no limits.
                    // API: Requests per second, shared by the gateways; null: no limits.
                    Field.part("rateLimits", RATE_LIMITS).clearable().shownMissing(Missing.NULL),
                    // The appearance of messages.
                    // API: The appearance of messages.
                    Field.part("branding", BRANDING).defaultsTo(FieldMap.EMPTY))
            .shown(
                    "controlRatio",
                    "weekStartsOn",
                    "defaultTimeZone",
                    "messageTimeZone",
                    "integerLeaderboardValues",
                    "applicationKeysEnabled",
                    "rateLimits",
                    "branding",
                    "experimentation",
                    "analyticsRetentionDays",
                    "trackOpens",
                    "trackClicks");

    private static Field limit(String name) {
        return Field.count(name, 1, MAX_RATE).clearable().shownMissing(Missing.NULL);
    }

    private static Field brand(String name, int max, Object missing) {
        return Field.text(name, max).clearable().shownMissing(missing);
    }

    private static Map<String, String> families() {
        var families = new LinkedHashMap<String, String>();
        families.put("MODERN_SANS", "Arial, Helvetica, sans-serif");
        families.put("BOOK_SANS", "Seravek, Gill Sans, Ubuntu, Calibri, Verdana, sans-serif");
        families.put("ORGANIC_SANS", "Optima, Candara, Noto Sans, Trebuchet MS, sans-serif");
        families.put("GEOMETRIC_SANS", "Avenir, Montserrat, Century Gothic, Futura, sans-serif");
        families.put("HEAVY_SANS", "Arial Black, Franklin Gothic Heavy, Impact, Arial, sans-serif");
        families.put(
                "ROUNDED_SANS", "Hiragino Maru Gothic ProN, Quicksand, Arial Rounded MT Bold, Calibri, sans-serif");
        families.put("MODERN_SERIF", "Didot, Bodoni MT, Playfair Display, Times New Roman, serif");
        families.put("BOOK_SERIF", "Iowan Old Style, Palatino Linotype, Palatino, Georgia, serif");
        families.put("MONOSPACE", "Menlo, Consolas, Courier New, monospace");
        return Collections.unmodifiableMap(families);
    }

    static final ZoneId DEFAULT_MESSAGE_ZONE = ZoneId.of("America/New_York");

    public static final Settings DEFAULT = KIND.make(FieldMap.EMPTY, Map.of());

    /**
     * Requests per second of the whole tenant; null: no limit.
     *
     * @param tier1 events and completions
     * @param tier2 all other requests
     */
    public record RateLimits(
            @Nullable Integer tier1, @Nullable Integer tier2) {}

    /** The appearance of messages. */
    public record Branding(
            @Nullable String appName,
            @Nullable String appUrl,
            @Nullable String logoUrl,
            @Nullable String brandColor,
            @Nullable String font,
            @Nullable String appIconUrl) {

        public static final Branding NONE = new Branding(null, null, null, null, null, null);

        /** The colour as {@code #RRGGBB}, the only form that all mail programs show. */
        public String cssColor() {
            return brandColor == null ? BrandColor.DEFAULT : BrandColor.opaque(brandColor);
        }

        /** The fonts in CSS, without quotes. */
        public String cssFonts() {
            String usual = FAMILIES.values().iterator().next();
            return font == null ? usual : FAMILIES.getOrDefault(font, font + ", " + usual);
        }
    }

    /** The forms of colours in CSS. */
    private static final class BrandColor {

        static final String DEFAULT = "#2f6f4f";

        private static final String CHANNEL = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2}|(?:100|[0-9]{1,2})%)";
        private static final String ALPHA = "(?:[01]|0?\\.[0-9]{1,6}|1\\.0{1,6}|(?:100|[0-9]{1,2})%)";
        static final String RGB = "rgba?\\( *" + CHANNEL + "(?: *, *" + CHANNEL + "){2}(?: *, *" + ALPHA + ")? *\\)";

        private BrandColor() {}

        /** Converts a valid colour to six digits; a transparent one as it looks on white. */
        static String opaque(String color) {
            if (color.startsWith("#")) {
                return color.length() > 4 ? color : color.replaceAll("([0-9A-Fa-f])", "$1$1");
            }
            String[] parts =
                    color.substring(color.indexOf('(') + 1, color.length() - 1).split(",");
            double alpha = parts.length > 3 ? share(parts[3].strip(), 1) : 1;
            var opaque = new StringBuilder("#");
            for (int i = 0; i < 3; i++) {
                long channel = Math.round(255 - alpha * (255 - 255 * share(parts[i].strip(), 255)));
                opaque.append(HexFormat.of().toHexDigits((byte) channel));
            }
            return opaque.toString();
        }

        private static double share(String number, int whole) {
            return number.endsWith("%")
                    ? Double.parseDouble(number.substring(0, number.length() - 1)) / 100
                    : Double.parseDouble(number) / whole;
        }
    }

    public Settings {
        weekStartsOn = weekStartsOn == null ? DayOfWeek.SUNDAY : weekStartsOn;
        // Older documents lack these components.
        messageTimeZone = messageTimeZone == null ? DEFAULT_MESSAGE_ZONE : messageTimeZone;
        applicationKeysEnabled = applicationKeysEnabled == null || applicationKeysEnabled;
        boolean isLimited = rateLimits != null && (rateLimits.tier1() != null || rateLimits.tier2() != null);
        rateLimits = isLimited ? rateLimits : null;
        branding = branding == null ? Branding.NONE : branding;
        userActivationWindow = userActivationWindow == null ? DEFAULT_ACTIVATION_WINDOW : userActivationWindow;
        analyticsRetentionDays = analyticsRetentionDays == null ? DEFAULT_ANALYTICS_DAYS : analyticsRetentionDays;
        trackOpens = trackOpens != null && trackOpens;
        trackClicks = trackClicks != null && trackClicks;
    }
}
