package dev.laurel.processors.delivery.webhook;

import dev.laurel.schemas.access.Hmac;
import java.util.Base64;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Signs what webhooks are sent (webhooks.md §1). */
final class Signer {

    private Signer() {}

    /** @param secret not empty */
    static String sign(String secret, byte[] body) {
        return Base64.getEncoder().encodeToString(Hmac.sha256(secret.getBytes(UTF_8), body));
    }
}
