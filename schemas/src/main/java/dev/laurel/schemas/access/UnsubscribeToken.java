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
 * What lets whoever got an email leave the list without a key (docs/admin-api.md B4): a user, with a proof that we wrote it. It
 * never expires: an old email must still lead out. In letters, digits, {@code -} and {@code _}: HMAC-SHA256 of the key's text,
 * then that text; no address is in it. Each tenant has a key of its own, so none can speak for users of another.
 */
public final class UnsubscribeToken {

    /** More than the token of the longest id has. */
    private static final int MAX_LENGTH = 8_192;
    private static final int MAC_BYTES = 32;

    private UnsubscribeToken() {}

    /** @return null if the tenant has no key for it: no channel for emails was ever configured */
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

    /** Whom it is for; null if it is none of ours. */
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
