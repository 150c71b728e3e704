package dev.laurel.schemas.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Authenticates texts by a key, and derives keys from other keys, with HMAC-SHA256. */
public final class Hmac {

    private static final String NAME = "HmacSHA256";

    private Hmac() {}

    /** @return 32 bytes */
    public static byte[] sha256(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(NAME);
            mac.init(new SecretKeySpec(key, NAME));
            return mac.doFinal(text);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JDK has " + NAME, e);
        }
    }

    /** @return 32 bytes */
    public static byte[] sha256(byte[] key, String text) {
        return sha256(key, text.getBytes(UTF_8));
    }
}
