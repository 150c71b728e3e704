package dev.laurel.deploy.tools.backup;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of a backup: everything that could be read of one partition between two offsets. Its name says which, so that a
 * backup that was broken off goes on behind what it has.
 *
 * @param first offset it begins with
 * @param next offset behind it, where the next one begins; places between records had nothing to be read
 */
record Segment(long first, long next) {

    private static final Pattern NAME = Pattern.compile("(\\d{20})-(\\d{20})\\.records\\.gz");

    Segment {
        if (first < 0 || next < first) {
            throw new IllegalArgumentException("no stretch of a log: " + first + " to " + next);
        }
    }

    String fileName() {
        return "%020d-%020d.records.gz".formatted(first, next);
    }

    /** Null if it is no segment's name. */
    static Segment parse(String fileName) {
        Matcher name = NAME.matcher(fileName);
        return name.matches() ? new Segment(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))) : null;
    }
}
