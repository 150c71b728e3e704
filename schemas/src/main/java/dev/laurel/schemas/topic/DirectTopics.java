package dev.laurel.schemas.topic;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The topics of direct producers: {@link Topics#DIRECT} for users of any tenant, and for each tenant that needs one a topic of its own,
 * in which only its users count. A Kafka record does not name its writer, so the right to write a topic determines whose
 * users a producer may change.
 *
 * <p>The name of a tenant's topic ends with its customer id, in which every UTF-8 byte that is not a letter or digit of ASCII, {@code .}
 * or {@code -} is written {@code _} and two hexadecimal digits.
 */
public final class DirectTopics {

    private static final String PREFIX = Topics.DIRECT.name() + ".";
    private static final int MAX_NAME_LENGTH = 249;
    private static final char ESCAPE = '_';
    private static final HexFormat HEX = HexFormat.of();

    /** The names of all topics of direct producers. */
    public static final Pattern NAMES = Pattern.compile(Pattern.quote(Topics.DIRECT.name()) + "(\\..+)?");

    private DirectTopics() {}

    public static boolean isOne(String topic) {
        return NAMES.matcher(topic).matches();
    }

    /** Whether only one tenant's users count in this topic. */
    public static boolean isOfOneTenant(String topic) {
        return topic.startsWith(PREFIX);
    }

    /** The topic of a tenant, configured like {@link Topics#DIRECT}. @throws IllegalArgumentException if its name would be too long */
    public static Topic<?, ?> of(String customerId) {
        var name = new StringBuilder(PREFIX);
        for (byte b : customerId.getBytes(UTF_8)) {
            if (isPlain(b)) {
                name.append((char) b);
            } else {
                name.append(ESCAPE).append(HEX.toHexDigits(b));
            }
        }
        if (customerId.isEmpty() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("the tenant '" + customerId
                    + "' cannot have a topic: the name would have " + name.length() + " characters, must have at most "
                    + MAX_NAME_LENGTH);
        }
        return Topics.DIRECT.named(name.toString());
    }

    /**
     * The customer id of the tenant of a topic of one tenant.
     *
     * @return null if the name has another form than {@link #of} gives it
     */
    public static @Nullable String customerOf(String topic) {
        String encoded = topic.substring(PREFIX.length());
        var bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c != ESCAPE) {
                bytes.write(c);
            } else if (i + 2 < encoded.length() && HexFormat.isHexDigit(encoded.charAt(i + 1))
                    && HexFormat.isHexDigit(encoded.charAt(i + 2))) {
                bytes.write(HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 2;
            } else {
                return null;
            }
        }
        String customerId = bytes.toString(UTF_8);
        // One tenant has one topic, so other spellings of its name are refused.
        return of(customerId).name().equals(topic) ? customerId : null;
    }

    private static boolean isPlain(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '-';
    }
}
