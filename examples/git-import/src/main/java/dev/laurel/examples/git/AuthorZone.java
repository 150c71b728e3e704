package dev.laurel.examples.git;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds a tz database name for the offset of a commit, which git writes as {@code +hhmm} without checking it. */
final class AuthorZone {

    private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{2})(\\d{2})");
    private static final int EAST_HOURS_MAX = 14;
    private static final int WEST_HOURS_MAX = 12;

    /**
     * Offsets that are not whole hours, present and past. Where two zones share one because of summer time, the zone
     * with more people is taken.
     */
    private static final Map<String, String> BROKEN_HOURS = Map.ofEntries(
            Map.entry("-0930", "Pacific/Marquesas"),
            Map.entry("-0430", "America/Caracas"),
            Map.entry("-0330", "America/St_Johns"),
            Map.entry("-0230", "America/St_Johns"),
            Map.entry("+0330", "Asia/Tehran"),
            Map.entry("+0430", "Asia/Kabul"),
            Map.entry("+0530", "Asia/Kolkata"),
            Map.entry("+0545", "Asia/Kathmandu"),
            Map.entry("+0630", "Asia/Yangon"),
            Map.entry("+0830", "Asia/Pyongyang"),
            Map.entry("+0845", "Australia/Eucla"),
            Map.entry("+0930", "Australia/Darwin"),
            Map.entry("+1030", "Australia/Adelaide"),
            Map.entry("+1130", "Pacific/Norfolk"),
            Map.entry("+1245", "Pacific/Chatham"),
            Map.entry("+1345", "Pacific/Chatham"));

    private AuthorZone() {}

    static Optional<String> of(String offset) {
        var parts = OFFSET.matcher(offset);
        if (!parts.matches()) {
            return Optional.empty();
        }
        if (!parts.group(3).equals("00")) {
            return Optional.ofNullable(BROKEN_HOURS.get(offset));
        }
        return wholeHours(parts.group(1).equals("+"), Integer.parseInt(parts.group(2)));
    }

    /** The names of these zones have the sign of POSIX: west is positive. */
    private static Optional<String> wholeHours(boolean east, int hours) {
        if (hours == 0) {
            return Optional.of("Etc/GMT");
        }
        if (hours > (east ? EAST_HOURS_MAX : WEST_HOURS_MAX)) {
            return Optional.empty();
        }
        return Optional.of("Etc/GMT" + (east ? "-" : "+") + hours);
    }
}
