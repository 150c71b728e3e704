package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The token of the image and of the links of an email, by which opens and clicks are counted without an API key (docs/admin-api.md B4).
 * It is authentic for one user and one email; that of a link also contains the target, so that nobody can make links to other sites. It
 * never expires, because links in old emails must work. The key is derived from that of unsubscribe links, so that neither token can stand
 * for the other.
 */
public final class EmailToken {

    /** The longest URL of a link whose clicks are counted. */
    public static final int MAX_TARGET_LENGTH = 2_000;

    /** Exceeds the token of the longest user key and target. */
    private static final int MAX_LENGTH = 16_384;
    private static final String PURPOSE = "laurel-email";

    /**
     * What a token says.
     *
     * @param email id of the delivery
     * @param target URL of the link; null: the token is that of the image
     */
    public record Content(UserKey user, UUID email, @Nullable String target) {}

    private EmailToken() {}

    /** @return null if the tenant has no key, because it never had a mail server */
    public static @Nullable String of(Content content, AccessIndex index) {
        byte[] key = keyOf(content.user().tenant(), index);
        if (key == null) {
            return null;
        }
        byte[] user = content.user().bytes();
        byte[] target = content.target() == null ? new byte[0] : content.target().getBytes(UTF_8);
        byte[] text = ByteBuffer.allocate(2 * Long.BYTES + Short.BYTES + user.length + target.length)
                .putLong(content.email().getMostSignificantBits()).putLong(content.email().getLeastSignificantBits())
                .putShort((short) user.length).put(user).put(target).array();
        return SignedToken.of(key, text).encoded();
    }

    /** The content of a token; null if the token is not authentic. */
    public static @Nullable Content read(String token, AccessIndex index) {
        SignedToken signed = SignedToken.parse(token, MAX_LENGTH);
        if (signed == null) {
            return null;
        }
        try {
            Content content = contentOf(ByteBuffer.wrap(signed.text()));
            byte[] key = keyOf(content.user().tenant(), index);
            return key != null && signed.isAuthentic(key) ? content : null;
        } catch (IllegalArgumentException | BufferUnderflowException _) {
            return null;
        }
    }

    private static Content contentOf(ByteBuffer text) {
        var email = new UUID(text.getLong(), text.getLong());
        int length = Short.toUnsignedInt(text.getShort());
        if (length > text.remaining()) {
            throw new BufferUnderflowException();
        }
        var user = new byte[length];
        text.get(user);
        var target = new byte[text.remaining()];
        text.get(target);
        return new Content(UserKey.parse(user), email, target.length == 0 ? null : new String(target, UTF_8));
    }

    private static byte @Nullable [] keyOf(TenantId tenant, AccessIndex index) {
        String secret = index.secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE);
        return secret == null ? null : Hmac.sha256(secret.getBytes(UTF_8), PURPOSE);
    }
}
