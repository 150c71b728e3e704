package dev.laurel.processors.delivery.webhook;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Signs what webhooks are sent (webhooks.md §1). */
final class Signer {

    private static final String MAC = "HmacSHA256";

    private Signer() {}

    /** @param secret not empty */
    static String sign(String secret, byte[] body) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), MAC));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JDK has " + MAC, e);
        }
    }
}
