package dev.laurel.platform.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.Hmac;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A key that authenticates the processes of one deployment to each other. Derived from the admin key with which all of them are
 * started, without revealing it. Immutable; never printed.
 */
public final class PeerKey {

    private static final String PURPOSE = "laurel peer calls 1";

    private final byte[] text;

    private PeerKey(byte[] text) {
        this.text = text;
    }

    /** @param adminKey the admin key with which the process was started */
    public static PeerKey of(String adminKey) {
        return new PeerKey(
                Base64.getUrlEncoder().withoutPadding().encode(Hmac.sha256(adminKey.getBytes(UTF_8), PURPOSE)));
    }

    /** The value of the header. */
    public String text() {
        return new String(text, US_ASCII);
    }

    /** Compares in constant time. @param given the value of the header; null if it is absent */
    public boolean matches(@Nullable String given) {
        return given != null && MessageDigest.isEqual(text, given.getBytes(UTF_8));
    }

    @Override
    public String toString() {
        return "peer key";
    }
}
