package dev.laurel.schemas.http;

import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.key.TenantId;
import java.security.MessageDigest;
import java.security.SecureRandom;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The only key of a server that knows no others: an admin key, and no tenants. Only its hash is kept in memory. */
public final class BootstrapKey implements ApiKeys {

    private final byte[] hash;
    private final Grant grant;

    /** @throws IllegalArgumentException if {@code key} has not the form of a key */
    public BootstrapKey(String key) {
        ApiKey given = ApiKey.givenAdminKey(key);
        this.hash = given.hash().getBytes(UTF_8);
        this.grant = Grant.of(new Principal.Admin(), given.prefix(), TenantId.NONE);
    }

    /** A new random key. */
    public static String generate() {
        return ApiKey.newAdminKey(new SecureRandom()).text();
    }

    @Override
    public Grant grantOf(String key, String customerId) {
        return MessageDigest.isEqual(hash, new ApiKey(key).hash().getBytes(UTF_8)) ? grant : null;
    }
}
