package dev.laurel.core.user;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;

/** Converts between moments and local dates. Dates are epoch days. */
public final class LocalDays {

    public static final long MS_PER_DAY = 86_400_000;

    /** No local date begins earlier than this before the same date in UTC. */
    public static final long MAX_OFFSET_MS = 18 * 3_600_000L;

    private LocalDays() {}

    public static int dayOf(long atMs, ZoneId zone) {
        long offsetMs = zone.getRules().getOffset(Instant.ofEpochMilli(atMs)).getTotalSeconds() * 1000L;
        return Math.toIntExact(Math.floorDiv(atMs + offsetMs, MS_PER_DAY));
    }

    /**
     * The moment of a time on a local date. If a clock change skips it, the first moment after the gap; if the time occurs
     * twice, the earlier one.
     */
    public static long momentOf(int day, LocalTime time, ZoneId zone) {
        LocalDateTime local = LocalDate.ofEpochDay(day).atTime(time);
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        return change != null && change.isGap()
                ? change.getInstant().toEpochMilli()
                : local.toInstant(zone.getRules().getOffset(local)).toEpochMilli();
    }

    /** The first moment of a local date. If a clock change skips midnight, the first moment after it. */
    public static long startOf(int day, ZoneId zone) {
        return LocalDate.ofEpochDay(day).atStartOfDay(zone).toInstant().toEpochMilli();
    }
}
