package dev.laurel.schemas.access;

import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What processes of one deployment prove to each other that they belong together: made of the admin key that all of them are
 * started with, from which it does not tell anything. Immutable; never printed.
 */
public final class PeerKey {

    private static final String PURPOSE = "laurel peer calls 1";

    private final byte[] text;

    private PeerKey(byte[] text) {
        this.text = text;
    }

    /** @param adminKey of the start */
    public static PeerKey of(String adminKey) {
        return new PeerKey(
                Base64.getUrlEncoder().withoutPadding().encode(Hmac.sha256(adminKey.getBytes(UTF_8), PURPOSE)));
    }

    /** As it goes into a header. */
    public String text() {
        return new String(text, US_ASCII);
    }

    /** Compares in constant time. @param given null: nothing was given */
    public boolean matches(@Nullable String given) {
        return given != null && MessageDigest.isEqual(text, given.getBytes(UTF_8));
    }

    @Override
    public String toString() {
        return "peer key";
    }
}
