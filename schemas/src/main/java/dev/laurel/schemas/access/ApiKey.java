package dev.laurel.schemas.access;

import dev.laurel.schemas.input.UnicodeText;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A key in plain text: a prefix that identifies it, a dot, and a secret (docs/application-api.md §1, Keys). Only its prefix and its
 * {@link #hash} are stored. A plain hash suffices, because the secret is random and too long to guess.
 */
public record ApiKey(String text) {

    /** The beginning of application keys. */
    public static final String APPLICATION = "app_";

    private static final Pattern ADMIN_FORM = Pattern.compile("[A-Za-z0-9]{8}\\.[A-Za-z0-9_-]{16,200}");
    static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int PREFIX_LENGTH = 8;
    private static final int SECRET_LENGTH = 44; // 62^44 > 2^256

    /** A new admin key. */
    public static ApiKey newAdminKey(SecureRandom random) {
        return new ApiKey(letters(random, PREFIX_LENGTH) + "." + letters(random, SECRET_LENGTH));
    }

    /** An admin key that a person chose. @throws IllegalArgumentException if it does not have the form of a key */
    public static ApiKey givenAdminKey(String text) {
        if (!ADMIN_FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "an admin key is 8 letters or digits, a dot, and a secret of at least 16 letters, digits, '-' or"
                            + " '_'");
        }
        return new ApiKey(text);
    }

    private static String letters(SecureRandom random, int count) {
        var text = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    /** The text before the dot; all of it if there is no dot. */
    public String prefix() {
        int dot = text.indexOf('.');
        return dot < 0 ? text : text.substring(0, dot);
    }

    /** SHA-256 of the whole key, in hexadecimal digits. */
    public String hash() {
        return HexFormat.of().formatHex(UnicodeText.sha256(text));
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return prefix() + ".…";
    }
}
