package dev.laurel.platform.access;

import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.key.TenantId;
import java.security.MessageDigest;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Accepts a single admin key, for a server without stored keys and tenants. Keeps only the hash of the key in memory.
 */
public final class BootstrapKey implements ApiKeys {

    private final byte[] hash;
    private final Grant grant;

    /** @throws IllegalArgumentException if {@code key} does not have the form of a key */
    public BootstrapKey(String key) {
        ApiKey given = ApiKey.givenAdminKey(key);
        this.hash = given.hash().getBytes(UTF_8);
        this.grant = Grant.of(Principal.Admin.UNLIMITED, given.prefix(), TenantId.NONE);
    }

    /** A new random key. */
    public static String generate() {
        return ApiKey.newAdminKey(new SecureRandom()).text();
    }

    @Override
    public @Nullable Grant grantOf(String key, @Nullable String customerId) {
        return MessageDigest.isEqual(hash, new ApiKey(key).hash().getBytes(UTF_8)) ? grant : null;
    }
}
