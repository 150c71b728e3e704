package dev.laurel.platform.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.Hmac;
import dev.laurel.schemas.key.TenantId;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The key that signs the sessions of an instance, the same in all of its processes. Derived from the admin key of their start and from
 * a stored random secret: neither a reader of {@code laurel.access} nor the holder of a revoked key of the start can forge a session,
 * and a new key of the start ends all sessions. Immutable; never printed.
 */
public final class SessionKey {

    private static final String OWNER = "sessions";
    private static final String PURPOSE = "laurel sessions 1";

    private final byte[] root;

    private SessionKey(byte[] root) {
        this.root = root;
    }

    /**
     * @param startKey the admin key with which the process was started
     * @return null if the instance has no secret yet, because no node of this version has written one
     */
    public static @Nullable SessionKey of(ApiKey startKey, AccessIndex index) {
        String secret = index.secret(TenantId.NONE, OWNER, Secret.SIGNING);
        return secret == null
                ? null
                : new SessionKey(Hmac.sha256(Hmac.sha256(startKey.text().getBytes(UTF_8), PURPOSE), secret));
    }

    /** The secret to store; empty if there is one. @param entropy supplies 32 random bytes */
    public static List<Secret> missing(AccessIndex index, Supplier<byte[]> entropy) {
        return index.secret(TenantId.NONE, OWNER, Secret.SIGNING) != null
                ? List.of()
                : List.of(new Secret(
                        TenantId.NONE,
                        OWNER,
                        Secret.SIGNING,
                        HexFormat.of().formatHex(Hmac.sha256(entropy.get(), PURPOSE))));
    }

    /**
     * A key for names that stay the same however often the admin key of the start changes.
     *
     * @return 32 bytes; null as for {@link #of(ApiKey, AccessIndex)}
     */
    public static byte @Nullable [] ofNames(String purpose, AccessIndex index) {
        String secret = index.secret(TenantId.NONE, OWNER, Secret.SIGNING);
        return secret == null ? null : Hmac.sha256(Hmac.sha256(secret.getBytes(UTF_8), PURPOSE), purpose);
    }

    /** The key for one purpose. @return 32 bytes */
    public byte[] of(String purpose) {
        return Hmac.sha256(root, purpose);
    }

    @Override
    public String toString() {
        return "session key";
    }
}
