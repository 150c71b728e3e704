package dev.laurel.platform.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the image and of the links of an email, by which its recipient acts without an API key (docs/admin-api.md B4). They never
 * expire, because links in old emails must work, and contain no address. Each tenant has a key of its own, so none can forge tokens of
 * another; a tenant without one never had a mail server.
 */
public final class EmailToken {

    /** The longest URL of a link whose clicks are counted. */
    public static final int MAX_TARGET_LENGTH = 2_000;

    /** By these, opens and clicks are counted. That of a link has its target, so that nobody can make links to other sites. */
    private static final Signed.Purpose<Content> REACTION = new Signed.Purpose<>(
            "email",
            16_384,
            content -> content.target() == null
                    ? List.of(content.user().text(), content.email().toString())
                    : List.of(content.user().text(), content.email().toString(), content.target()),
            fields -> new Content(
                    UserKey.parse(fields.get(0)),
                    UUID.fromString(fields.get(1)),
                    fields.size() > 2 ? fields.get(2) : null));

    /** By these, a user changes what is sent to that user. */
    private static final Signed.Purpose<UserKey> UNSUBSCRIBE = new Signed.Purpose<>(
            "unsubscribe", 8_192, user -> List.of(user.text()), fields -> UserKey.parse(fields.getFirst()));

    /**
     * What the token of an image or of a counted link says.
     *
     * @param email id of the delivery
     * @param target URL of the link; null: the token is that of the image
     */
    public record Content(
            UserKey user, UUID email, @Nullable String target) {}

    private EmailToken() {}

    /** @return null if the tenant has no key */
    public static @Nullable String of(Content content, AccessIndex index) {
        return write(REACTION, content, content.user(), index);
    }

    /** The content of a token; null if the token is not authentic. */
    public static @Nullable Content read(String token, AccessIndex index) {
        return read(REACTION, token, Content::user, index);
    }

    /** The token of the link to unsubscribe. @return null if the tenant has no key */
    public static @Nullable String toUnsubscribe(UserKey user, AccessIndex index) {
        return write(UNSUBSCRIBE, user, user, index);
    }

    /** The user of the token of a link to unsubscribe; null if the token is not authentic. */
    public static @Nullable UserKey unsubscriber(String token, AccessIndex index) {
        return read(UNSUBSCRIBE, token, Function.identity(), index);
    }

    private static <T> @Nullable String write(Signed.Purpose<T> purpose, T value, UserKey user, AccessIndex index) {
        byte[] key = keyOf(user.tenant(), index);
        return key == null ? null : Signed.of(purpose, key, value, null).text();
    }

    private static <T> @Nullable T read(
            Signed.Purpose<T> purpose, String token, Function<T, UserKey> userOf, AccessIndex index) {
        Signed<T> signed =
                Signed.read(purpose, token, value -> keyOf(userOf.apply(value).tenant(), index), Instant.EPOCH);
        return signed == null ? null : signed.value();
    }

    private static byte @Nullable [] keyOf(TenantId tenant, AccessIndex index) {
        String secret = index.secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE);
        return secret == null ? null : secret.getBytes(UTF_8);
    }
}
