package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
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
    private static final int MAC_BYTES = 32;

    private UnsubscribeToken() {}

    /** @return null if the tenant has no key, because it never had a mail server */
    public static @Nullable String of(UserKey user, AccessIndex index) {
        String key = keyOf(user.tenant(), index);
        if (key == null) {
            return null;
        }
        byte[] text = user.bytes();
        byte[] token = Arrays.copyOf(mac(key, text), MAC_BYTES + text.length);
        System.arraycopy(text, 0, token, MAC_BYTES, text.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** The user of a token; null if the token is not authentic. */
    public static @Nullable UserKey read(String token, AccessIndex index) {
        try {
            byte[] bytes = token.length() > MAX_LENGTH ? new byte[0] : Base64.getUrlDecoder().decode(token);
            if (bytes.length <= MAC_BYTES) {
                return null;
            }
            byte[] text = Arrays.copyOfRange(bytes, MAC_BYTES, bytes.length);
            UserKey user = UserKey.parse(text);
            String key = keyOf(user.tenant(), index);
            return key != null && MessageDigest.isEqual(mac(key, text), Arrays.copyOf(bytes, MAC_BYTES)) ? user : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static @Nullable String keyOf(TenantId tenant, AccessIndex index) {
        return index.secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE);
    }

    private static byte[] mac(String key, byte[] text) {
        return Hmac.sha256(key.getBytes(UTF_8), text);
    }
}
