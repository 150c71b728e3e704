package dev.laurel.query.http;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.query.read.UserReads.SummaryRange;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Type.Day;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.serde.Times;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Reads query parameters (docs/application-api.md §1). A parameter that is not valid is refused with 422. */
final class Query {

    private static final int MAX_SUMMARY_DAYS = 400;
    private static final int MAX_SHOWN = 100;

    /** Java would also accept digits of other scripts, and a plus sign. */
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

    private static final String USER_ATTRIBUTES = "userAttributes";
    private static final Pattern REPEATED_ATTRIBUTES = Pattern.compile(USER_ATTRIBUTES + "(\\[[0-9]*])?");
    private static final Pattern ATTRIBUTE_KEY = Pattern.compile("[A-Za-z0-9_-]{1,255}:");

    /** What a backslash makes part of a value. */
    private static final String ESCAPED = ",\\";

    private Query() {}

    /** {@code true} in any case is true, everything else is false. */
    static boolean flag(Context context, String name) {
        return "true".equalsIgnoreCase(context.queryParam(name));
    }

    /** Null if the parameter is missing. */
    static @Nullable String oneOf(Context context, String name, List<String> allowed) {
        String value = context.queryParam(name);
        if (value != null && !allowed.contains(value)) {
            throw new HttpRefusal(422, name + " must be one of " + String.join(", ", allowed) + ".");
        }
        return value;
    }

    /** The constant that a parameter names in lower case; null if the parameter is missing. */
    static <E extends Enum<E>> @Nullable E oneOf(Context context, String name, Class<E> type) {
        List<E> constants = List.of(type.getEnumConstants());
        List<String> words = constants.stream().map(IssueList::word).toList();
        String given = oneOf(context, name, words);
        return given == null ? null : constants.get(words.indexOf(given));
    }

    /** The users with these ids. Leaves out ids that cannot exist, like those of unknown users. */
    static List<UserKey> users(Context context, List<String> ids) {
        Caller caller = Caller.of(context);
        return ids.stream()
                .filter(id -> UserId.problemWith(id) == null)
                .map(id -> caller.userKey(new UserId(id)))
                .toList();
    }

    /** Whether the client asks for the answer in this form. @param type a media type */
    static boolean isAccepted(Context context, String type) {
        String accepted = context.header("Accept");
        context.header("Vary", "Accept");
        return accepted != null && accepted.contains(type);
    }

    static int integer(Context context, String name, int defaultValue, int min, int max) {
        String text = context.queryParam(name);
        if (text == null) {
            return defaultValue;
        }
        if (WHOLE.matcher(text).matches()) {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return (int) value;
            }
        }
        throw new HttpRefusal(422, name + " must be a whole number from " + min + " to " + max + ".");
    }

    /**
     * {@code userAttributes=key:value,key:value}; empty if there is none. Clients encode the whole text, commas included, so a comma
     * separates only if a key and a colon follow it; otherwise, and after a backslash, it belongs to the value.
     */
    static Map<String, String> userAttributes(Context context) {
        List<String> given = context.queryParamMap().entrySet().stream()
                .filter(parameter ->
                        REPEATED_ATTRIBUTES.matcher(parameter.getKey()).matches())
                .flatMap(parameter -> parameter.getValue().stream())
                .toList();
        String text = context.queryParam(USER_ATTRIBUTES);
        if (given.size() > 1 || !given.isEmpty() && text == null) {
            throw new HttpRefusal(
                    422, USER_ATTRIBUTES + " must be sent once, as key:value pairs with commas between them.");
        }
        return text == null ? new LinkedHashMap<>() : attributes(text);
    }

    private static Map<String, String> attributes(String text) {
        var attributes = new LinkedHashMap<String, String>();
        Matcher key = ATTRIBUTE_KEY.matcher(text);
        for (int at = 0; at < text.length(); at++) { // at the beginning of a pair, then at the comma that ends it
            if (!key.region(at, text.length()).lookingAt()) {
                throw new HttpRefusal(
                        422,
                        USER_ATTRIBUTES + " has '" + UnicodeText.cut(text.substring(at), MAX_SHOWN)
                                + "', must be key:value pairs with commas between them.");
            }
            String name = text.substring(at, key.end() - 1);
            var value = new StringBuilder();
            for (at = key.end(); at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == ',' && key.region(at + 1, text.length()).lookingAt()) {
                    break;
                }
                boolean isEscape = c == '\\' && at + 1 < text.length() && ESCAPED.indexOf(text.charAt(at + 1)) >= 0;
                value.append(isEscape ? text.charAt(++at) : c);
            }
            String before = attributes.putIfAbsent(name, value.toString());
            if (before != null && !before.contentEquals(value)) {
                throw new HttpRefusal(422, USER_ATTRIBUTES + " asks for two values of '" + name + "'.");
            }
        }
        return attributes;
    }

    /** The range of an event summary. */
    static SummaryRange summaryRange(Context context) {
        String aggregation = context.queryParam("aggregation");
        StreakFrequency frequency = switch (aggregation == null ? "" : aggregation) {
            case "daily" -> StreakFrequency.DAILY;
            case "weekly" -> StreakFrequency.WEEKLY;
            case "monthly" -> StreakFrequency.MONTHLY;
            default ->
                throw new HttpRefusal(422, "aggregation is required and must be one of: daily, weekly, monthly.");
        };
        LocalDate first = date(context, "startDate", "start_date");
        LocalDate last = date(context, "endDate", "end_date");
        if (first.isAfter(last)) {
            throw new HttpRefusal(422, "startDate must not be after endDate.");
        }
        if (ChronoUnit.DAYS.between(first, last) > MAX_SUMMARY_DAYS) {
            throw new HttpRefusal(422, "startDate and endDate must be at most " + MAX_SUMMARY_DAYS + " days apart.");
        }
        return new SummaryRange(frequency, first, last);
    }

    /** @param alias another accepted spelling */
    private static LocalDate date(Context context, String name, String alias) {
        String given = context.queryParam(name);
        LocalDate date = parse(given == null ? context.queryParam(alias) : given);
        if (date == null) {
            throw new HttpRefusal(422, name + " is required and must be a date such as 2026-03-04.");
        }
        return date;
    }

    /** Null if the parameter is missing. */
    static @Nullable LocalDate optionalDate(Context context, String name) {
        String text = context.queryParam(name);
        LocalDate date = parse(text);
        if (text != null && date == null) {
            throw new HttpRefusal(422, name + " must be a date such as 2026-03-04.");
        }
        return date;
    }

    /** A time, or a date in UTC: its beginning or its end. Null if the parameter is missing. */
    static @Nullable Instant time(Context context, String name, boolean isEnd) {
        String text = context.queryParam(name);
        if (text == null) {
            return null;
        }
        LocalDate date = parse(text);
        if (date != null) {
            return date.plusDays(isEnd ? 1 : 0).atStartOfDay(ZoneOffset.UTC).toInstant();
        }
        try {
            return Times.parse(text, name);
        } catch (BadInputException e) {
            throw HttpRefusal.of(e.refusal());
        }
    }

    /** The tenant that {@code tenant} names by its customer id, or that the key is bound to; null: all. */
    static @Nullable TenantId tenant(Context context, AccessView access) {
        Caller caller = Caller.of(context);
        String named = context.queryParam("tenant");
        TenantId tenant =
                named == null || named.isEmpty() ? null : access.index().idOf(named);
        if (!caller.isBound()) {
            return tenant;
        }
        if (tenant != null && !tenant.equals(caller.tenant())) {
            throw new HttpRefusal(403, "tenant names another tenant than the one that the key is bound to.");
        }
        return caller.tenant();
    }

    /** Null if the text is missing or not a date. */
    private static @Nullable LocalDate parse(@Nullable String text) {
        return Day.isDay(text) ? LocalDate.parse(text) : null;
    }

    /** The part of a collection that a GET of the bulk pattern requests (docs/admin-api.md A1). */
    record Page(int skip, int limit) {

        /** The parameter that continues a list, its other name, and the header of a page that has its value for the next page. */
        static final String AFTER = "after";

        static final String CURSOR = "cursor";
        static final String NEXT = "X-Laurel-Next";

        private static final int DEFAULT_LIMIT = 10;
        private static final int MAX_LIMIT = 100;

        static Page of(Context context) {
            return new Page(
                    Query.integer(context, "skip", 0, 0, Integer.MAX_VALUE),
                    Query.integer(context, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT));
        }

        /** A page of a list that can be continued by {@link #AFTER} where {@code skip} ends. */
        static Page of(Context context, int maxSkip) {
            Page page = of(context);
            if (page.skip > maxSkip) {
                throw new HttpRefusal(
                        422,
                        "skip must be a whole number from 0 to " + maxSkip + "; to read on, send the value of " + NEXT
                                + " of a page as " + AFTER + ".");
            }
            return page;
        }

        /** The place to continue after; null: from the first. @param parse reads a cursor, or fails */
        static <T> @Nullable T after(Context context, Function<String, T> parse) {
            String given = context.queryParam(CURSOR);
            String cursor = given == null ? context.queryParam(AFTER) : given;
            try {
                return cursor == null ? null : parse.apply(cursor);
            } catch (IllegalArgumentException | JacksonException _) {
                throw new HttpRefusal(422, AFTER + " must be the value of " + NEXT + " of a page of this list.");
            }
        }

        /** Like the other, for a place of which {@link #cursorOf} has made the cursor. */
        static <T> @Nullable T after(Context context, Class<T> type) {
            return after(context, cursor -> Json.read(Base64.getUrlDecoder().decode(cursor), type));
        }

        /** The place in a list whose cursors are numbers. */
        static long offset(String cursor) {
            if (cursor.startsWith("-") || !WHOLE.matcher(cursor).matches()) {
                throw new NumberFormatException(cursor);
            }
            return Long.parseLong(cursor);
        }

        /** A place as base64 that needs no escapes in a URL. */
        static String cursorOf(Object place) {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.write(place));
        }

        <T> List<T> cut(List<T> all) {
            int from = Math.min(skip, all.size());
            return all.subList(from, from + Math.min(limit, all.size() - from));
        }
    }
}
