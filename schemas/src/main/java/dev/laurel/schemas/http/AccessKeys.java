package dev.laurel.schemas.http;

import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import java.util.UUID;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The keys of {@code laurel.access} and the tenants they open (application-api.md §1, admin-api.md A7, A8, B6). An application
 * key opens its own tenant only; whether it opens anything at all is a setting of that tenant.
 */
public final class AccessKeys implements ApiKeys {

    private static final String NAMES_NONE = "The header Tenant-ID is missing: this instance has several tenants.";
    private static final String UNKNOWN = "The header Tenant-ID names no tenant that is active.";

    private final AccessBook book;
    private final Rulesets rulesets;
    private final Consumer<UUID> onUse;

    /** @param onUse told the id of each key that opens something; must not block */
    public AccessKeys(AccessBook book, Rulesets rulesets, Consumer<UUID> onUse) {
        this.book = book;
        this.rulesets = rulesets;
        this.onUse = onUse;
    }

    @Override
    public Grant grantOf(String key, String customerId) {
        String named = customerId == null ? "" : text(customerId);
        return switch (book.holderOf(key)) {
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
        if (!book.isMultiTenant()) {
            return Grant.of(principal, prefix, TenantId.NONE);
        }
        TenantId tenant = book.activeTenant(named);
        return new Grant(principal, prefix, tenant,
                tenant != null ? null : named.isEmpty() ? NAMES_NONE : UNKNOWN);
    }

    /** Where the request names no tenant that there is, what is wrong with it is that. */
    private boolean isOpen(ApplicationKey key, String named) {
        TenantId own = key.tenant();
        boolean isOwn;
        if (book.isMultiTenant()) {
            Tenant tenant = book.tenantOf(own.value());
            boolean isAlive = tenant != null && tenant.isActive();
            isOwn = isAlive && (named.equals(own.value()) || book.activeTenant(named) == null);
        } else {
            isOwn = own.equals(TenantId.NONE);
        }
        return isOwn && rulesets.newest(own).settings().applicationKeysEnabled();
    }

    /** HTTP hands over bytes as characters; what is beyond ASCII in a header is UTF-8 with every client that sends any. */
    private static String text(String header) {
        boolean isAscii = header.chars().allMatch(c -> c < 128);
        return isAscii ? header : new String(header.getBytes(ISO_8859_1), UTF_8);
    }
}
