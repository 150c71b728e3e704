package dev.laurel.platform.http;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Checks keys against {@code laurel.access} and determines the tenant of a request (docs/application-api.md §1,
 * docs/admin-api.md A7, A8, B6). An application key is valid only for its own tenant, and only if that tenant's
 * settings enable application keys.
 */
public final class AccessKeys implements ApiKeys {

    private static final String NO_TENANT = "The header Tenant-ID is missing: this instance has several tenants.";
    private static final String UNKNOWN_TENANT = "The header Tenant-ID names no tenant that is active.";

    private final AccessIndex index;
    private final Rulesets rulesets;
    private final Consumer<UUID> onUse;

    /** @param onUse receives the id of each key that is accepted; must not block */
    public AccessKeys(AccessIndex index, Rulesets rulesets, Consumer<UUID> onUse) {
        this.index = index;
        this.rulesets = rulesets;
        this.onUse = onUse;
    }

    @Override
    public @Nullable Grant grantOf(String key, @Nullable String customerId) {
        String named = customerId == null ? "" : text(customerId);
        return switch (index.holderOf(key)) {
            case AdminKey admin -> {
                onUse.accept(admin.id());
                yield grant(new Principal.Admin(), admin.prefix(), named);
            }
            case ApplicationKey application when isOpen(application, named) -> {
                onUse.accept(application.id());
                yield grant(new Principal.ApplicationUser(application.userId()), application.prefix(), named);
            }
            case null, default -> null;
        };
    }

    private Grant grant(Principal principal, String prefix, String named) {
        if (!index.isMultiTenant()) {
            return Grant.of(principal, prefix, TenantId.NONE);
        }
        TenantId tenant = index.activeTenant(named);
        return new Grant(principal, prefix, tenant,
                tenant != null ? null : named.isEmpty() ? NO_TENANT : UNKNOWN_TENANT);
    }

    /**
     * Whether the key may be used. If the request names no active tenant, the key is accepted here, so that the error
     * is about the tenant and not about the key.
     */
    private boolean isOpen(ApplicationKey key, String named) {
        TenantId own = key.tenant();
        boolean isOwn;
        if (index.isMultiTenant()) {
            String ownName = index.customerIdOf(own);
            Tenant tenant = index.tenantOf(ownName);
            boolean isActive = tenant != null && tenant.isActive();
            isOwn = isActive && (named.equals(ownName) || index.activeTenant(named) == null);
        } else {
            isOwn = own.equals(TenantId.NONE);
        }
        return isOwn && rulesets.newest(own).settings().applicationKeysEnabled();
    }

    /**
     * Decodes a header as UTF-8: the server passes its bytes as ISO 8859-1 characters, and clients that send non-ASCII
     * headers use UTF-8.
     */
    private static String text(String header) {
        boolean isAscii = header.chars().allMatch(c -> c < 128);
        return isAscii ? header : new String(header.getBytes(ISO_8859_1), UTF_8);
    }
}
