package dev.laurel.query.http;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.query.read.UserReads.SummaryRange;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads query parameters (docs/application-api.md §1). A parameter that is not valid is refused with 422. */
final class Query {

    private static final int MAX_SUMMARY_DAYS = 400;

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

    static int integer(Context context, String name, int defaultValue, int min, int max) {
        String text = context.queryParam(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw new HttpRefusal(422, name + " must be a whole number from " + min + " to " + max + ".");
    }

    /** {@code userAttributes=key:value,key:value}; empty if there is none. */
    static Map<String, String> userAttributes(Context context) {
        String text = context.queryParam("userAttributes");
        var attributes = new LinkedHashMap<String, String>();
        if (text == null || text.isEmpty()) {
            return attributes;
        }
        for (String pair : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            if (colon <= 0) {
                throw new HttpRefusal(422,
                        "userAttributes has '" + pair + "', must be key:value pairs with commas between them.");
            }
            String key = pair.substring(0, colon);
            String value = pair.substring(colon + 1);
            String before = attributes.putIfAbsent(key, value);
            if (before != null && !before.equals(value)) {
                throw new HttpRefusal(422, "userAttributes asks for two values of '" + key + "'.");
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
            default -> throw new HttpRefusal(422,
                    "aggregation is required and must be one of: daily, weekly, monthly.");
        };
        LocalDate first = date(context, "startDate", "start_date");
        LocalDate last = date(context, "endDate", "end_date");
        if (first.isAfter(last)) {
            throw new HttpRefusal(422, "startDate must not be after endDate.");
        }
        if (ChronoUnit.DAYS.between(first, last) > MAX_SUMMARY_DAYS) {
            throw new HttpRefusal(422,
                    "startDate and endDate must be at most " + MAX_SUMMARY_DAYS + " days apart.");
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
        try {
            return text.length() == "2026-03-04".length()
                    ? LocalDate.parse(text).plusDays(isEnd ? 1 : 0).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException _) {
            throw new HttpRefusal(422,
                    name + " must be a time with its offset, such as 2026-03-04T09:15:00.000Z, or a date.");
        }
    }

    /** The tenant that {@code tenant} names by its customer id, or that the key is bound to; null: all. */
    static @Nullable TenantId tenant(Context context, AccessView access) {
        Caller caller = Caller.of(context);
        String named = context.queryParam("tenant");
        TenantId tenant = named == null || named.isEmpty() ? null : access.index().idOf(named);
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
        if (text == null || text.length() != "2026-03-04".length()) {
            return null;
        }
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException _) {
            return null;
        }
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
            return new Page(Query.integer(context, "skip", 0, 0, Integer.MAX_VALUE),
                    Query.integer(context, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT));
        }

        /** A page of a list that can be continued by {@link #AFTER} where {@code skip} ends. */
        static Page of(Context context, int maxSkip) {
            Page page = of(context);
            if (page.skip > maxSkip) {
                throw new HttpRefusal(422,
                        "skip must be a whole number from 0 to " + maxSkip + "; to read on, send the value of "
                                + NEXT + " of a page as " + AFTER + ".");
            }
            return page;
        }

        /** @param next null: there are no more */
        static void setNext(Context context, @Nullable String next) {
            if (next != null) {
                context.header(NEXT, next);
            }
        }

        /** The place to continue after; null: from the first. */
        static @Nullable String cursor(Context context) {
            String cursor = context.queryParam(CURSOR);
            return cursor == null ? context.queryParam(AFTER) : cursor;
        }

        /** {@link #AFTER} of a list whose cursors are numbers; null: from the first. */
        static @Nullable Long after(Context context) {
            String text = context.queryParam(AFTER);
            if (text == null) {
                return null;
            }
            if (!text.matches("[0-9]{1,18}")) {
                throw badAfter();
            }
            return Long.valueOf(text);
        }

        static HttpRefusal badAfter() {
            return new HttpRefusal(422, AFTER + " must be the value of " + NEXT + " of a page of this list.");
        }

        <T> List<T> cut(List<T> all) {
            int from = Math.min(skip, all.size());
            return all.subList(from, from + Math.min(limit, all.size() - from));
        }
    }
}
