package dev.laurel.schemas.access;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A text behind its HMAC-SHA256, in URL-safe Base64: the form of the tokens in links of emails. The key may depend on the text, so a token
 * is parsed first and authenticated then.
 */
record SignedToken(byte[] mac, byte[] text) {

    private static final int MAC_BYTES = 32;

    static SignedToken of(byte[] key, byte[] text) {
        return new SignedToken(Hmac.sha256(key, text), text);
    }

    /** Null if it has not the form of a token, or is longer. */
    static @Nullable SignedToken parse(String token, int maxLength) {
        if (token.length() > maxLength) {
            return null;
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            return bytes.length <= MAC_BYTES
                    ? null
                    : new SignedToken(Arrays.copyOf(bytes, MAC_BYTES),
                            Arrays.copyOfRange(bytes, MAC_BYTES, bytes.length));
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    boolean isAuthentic(byte[] key) {
        return MessageDigest.isEqual(Hmac.sha256(key, text), mac);
    }

    String encoded() {
        byte[] token = Arrays.copyOf(mac, MAC_BYTES + text.length);
        System.arraycopy(text, 0, token, MAC_BYTES, text.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }
}
