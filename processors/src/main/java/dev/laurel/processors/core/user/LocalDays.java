package dev.laurel.processors.core.user;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** Local dates as epoch days. */
public final class LocalDays {

    static final long MS_PER_DAY = 86_400_000;

    private LocalDays() {}

    /** The local date of a moment. */
    public static int dayOf(long atMs, ZoneId zone) {
        long offsetMs = zone.getRules().getOffset(Instant.ofEpochMilli(atMs)).getTotalSeconds() * 1000L;
        return Math.toIntExact(Math.floorDiv(atMs + offsetMs, MS_PER_DAY));
    }

    /** The first moment of a local date; where midnight is skipped by a clock change, the first one after it. */
    public static long startOf(int day, ZoneId zone) {
        return LocalDate.ofEpochDay(day).atStartOfDay(zone).toInstant().toEpochMilli();
    }
}
