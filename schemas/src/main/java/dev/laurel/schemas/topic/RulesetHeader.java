package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The header {@code laurel-ruleset} of a command: the version of the tenant's ruleset by which its producer has admitted it, as decimal
 * digits; 0 before the first version. The command is judged by this version at least (docs/rulesets.md, Versions).
 */
public final class RulesetHeader {

    /** There is no header: the producer knows no rulesets. */
    public static final long NONE = -1;

    /** The header is no version. */
    public static final long INVALID = -2;

    private static final String NAME = "laurel-ruleset";

    /** No version has more digits. */
    private static final int MAX_DIGITS = 18;

    private RulesetHeader() {}

    public static void write(Headers headers, long version) {
        headers.add(NAME, Long.toString(version).getBytes(US_ASCII));
    }

    /** The version, {@link #NONE} or {@link #INVALID}. Called for every command, so it creates no text. */
    public static long read(Headers headers) {
        Header header = headers.lastHeader(NAME);
        if (header == null) {
            return NONE;
        }
        byte[] digits = header.value();
        if (digits == null || digits.length == 0 || digits.length > MAX_DIGITS) {
            return INVALID;
        }
        long version = 0;
        for (byte digit : digits) {
            if (digit < '0' || digit > '9') {
                return INVALID;
            }
            version = 10 * version + digit - '0';
        }
        return version;
    }
}
