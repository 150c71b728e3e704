package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The token of an unsubscribe link, with which a recipient of an email unsubscribes without an API key (docs/admin-api.md B4).
 * Consists of the HMAC-SHA256 of the user key and the user key itself, in URL-safe Base64; it contains no address. It never
 * expires, because links in old emails must work. Each tenant has a key of its own, so none can forge tokens of another.
 */
public final class UnsubscribeToken {

    /** Exceeds the token of the longest user key. */
    private static final int MAX_LENGTH = 8_192;

    private UnsubscribeToken() {}

    /** @return null if the tenant has no key, because it never had a mail server */
    public static @Nullable String of(UserKey user, AccessIndex index) {
        byte[] key = keyOf(user.tenant(), index);
        if (key == null) {
            return null;
        }
        return SignedToken.of(key, user.bytes()).encoded();
    }

    /** The user of a token; null if the token is not authentic. */
    public static @Nullable UserKey read(String token, AccessIndex index) {
        SignedToken signed = SignedToken.parse(token, MAX_LENGTH);
        if (signed == null) {
            return null;
        }
        try {
            UserKey user = UserKey.parse(signed.text());
            byte[] key = keyOf(user.tenant(), index);
            return key != null && signed.isAuthentic(key) ? user : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static byte @Nullable [] keyOf(TenantId tenant, AccessIndex index) {
        String secret = index.secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE);
        return secret == null ? null : secret.getBytes(UTF_8);
    }
}
