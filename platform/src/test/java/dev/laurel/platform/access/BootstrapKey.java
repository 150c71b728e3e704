package dev.laurel.platform.access;

import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.key.TenantId;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** Accepts a single admin key, for the server of a test without stored keys and tenants. */
public final class BootstrapKey implements ApiKeys {

    private final ApiKey key;

    public BootstrapKey(String key) {
        this.key = ApiKey.givenAdminKey(key);
    }

    /** A new random key. */
    public static String generate() {
        return ApiKey.newAdminKey(new SecureRandom()).text();
    }

    @Override
    public @Nullable Grant grantOf(String given, @Nullable String customerId) {
        return given.equals(key.text()) ? Grant.of(Principal.Admin.UNLIMITED, key.prefix(), TenantId.NONE) : null;
    }
}
