package dev.laurel.platform.access;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks keys, and the holders of sessions, against {@code laurel.access} and determines the tenant of a request
 * (docs/application-api.md §1, docs/admin-api.md A7, A8, B6). An application key is valid only for its own tenant, and
 * only if that tenant's settings enable application keys. An admin key or a person bound to a tenant acts for that one,
 * which its requests need not name.
 *
 * @param onUse receives the id of each stored key that is accepted; must not block
 * @param onSignedUse receives each signed key that is accepted; must not block
 * @param clock gives the time of day, by which keys expire
 */
public record AccessKeys(
        AccessIndex index,
        Rulesets rulesets,
        Consumer<UUID> onUse,
        Consumer<SignedKey> onSignedUse,
        InstantSource clock)
        implements ApiKeys {

    private static final String NO_TENANT = "The header Tenant-ID is missing: this instance has several tenants.";
    private static final String UNKNOWN_TENANT = "The header Tenant-ID names no tenant that is active.";
    private static final String OTHER_TENANT =
            "The header Tenant-ID names another tenant than the one that the caller is" + " bound to.";
    private static final String ARCHIVED = "The tenant that the caller is bound to is archived.";
    private static final String NO_TENANTS =
            "The caller is bound to a tenant, and this instance has none: multi-tenancy is off.";

    @Override
    public @Nullable Grant grantOf(String key, @Nullable String customerId) {
        String named = customerId == null ? "" : customerId;
        SignedKey signed = index.signedKey(key, clock.instant());
        if (signed != null) {
            return grantOf(signed, named);
        }
        return switch (index.holderOf(key)) {
            case AdminKey admin when admin.isValid(clock.instant()) -> grantOf(admin, customerId);
            case ApplicationKey application
            when isOpen(application.tenant(), named) -> {
                onUse.accept(application.id());
                yield grant(
                        new Principal.ApplicationUser(application.userId(), application.role()),
                        application.prefix(),
                        named);
            }
            case null, default -> null;
        };
    }

    /** Null if the key may not be used. */
    private @Nullable Grant grantOf(SignedKey key, String named) {
        if (!isOpen(key.owner().tenant(), named)) {
            return null;
        }
        onSignedUse.accept(key);
        return grant(
                new Principal.ApplicationUser(key.owner().user(), key.role()), SignedKey.prefixOf(key.id()), named);
    }

    /** The grant of the holder of a session, as {@link #grantOf} for a key. */
    public Grant grantOf(AdminKey admin, @Nullable String customerId) {
        onUse.accept(admin.id());
        return grant(
                Actor.ofKey(admin.id(), admin.name(), admin.role(), admin.tenant()),
                admin.prefix(),
                customerId == null ? "" : customerId);
    }

    /** The grant of a person. */
    public Grant grantOf(Actor person, @Nullable String customerId) {
        return grant(person, "person", customerId == null ? "" : customerId);
    }

    /** @param prefix what the access log shows of the actor */
    private Grant grant(Actor actor, String prefix, String named) {
        var principal = new Principal.Admin(actor);
        return actor.tenant() == null
                ? grant(principal, prefix, named)
                : boundGrant(principal, prefix, actor.tenant(), named);
    }

    private Grant grant(Principal principal, String prefix, String named) {
        if (!index.isMultiTenant()) {
            return Grant.of(principal, prefix, TenantId.NONE);
        }
        TenantId tenant = index.activeTenant(named);
        return new Grant(
                principal, prefix, tenant, tenant != null ? null : named.isEmpty() ? NO_TENANT : UNKNOWN_TENANT);
    }

    /** Says the same of tenants that exist and of those that do not. @param own the tenant that the key is bound to */
    private Grant boundGrant(Principal principal, String prefix, String own, String named) {
        boolean isOwn = named.isEmpty() || named.equals(own);
        TenantId tenant = index.isMultiTenant() && isOwn ? index.activeTenant(own) : null;
        String problem = !index.isMultiTenant() ? NO_TENANTS : isOwn ? ARCHIVED : OTHER_TENANT;
        return new Grant(principal, prefix, tenant, tenant != null ? null : problem);
    }

    /**
     * Whether an application key may be used. If the request names no active tenant, the key is accepted here, so that the error
     * is about the tenant and not about the key.
     *
     * @param own tenant of the key
     */
    private boolean isOpen(TenantId own, String named) {
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
     * Selects the uses of signed application keys that are noted in the lists of their users: one of each key in a week, and few a second,
     * so that notes are a small part of the log. The memory does not depend on the number of keys. If it forgets a key, or too many keys
     * are used in a second, another use is noted. Thread-safe; never waits for another thread.
     */
    public static final class SignedKeyUses {

        static final int MAX_PER_SECOND = 20;

        private static final long NOTED_FOR_MS = Duration.ofDays(7).toMillis();

        /** One number for each key used lately; two megabytes. */
        private static final int SLOTS = 1 << 18;

        private static final int COUNT_BITS = 8;

        private final InstantSource clock;
        private final AtomicLongArray noted = new AtomicLongArray(SLOTS);

        /** A second and, in the lowest bits, how many uses were noted in it. */
        private final AtomicLong inSecond = new AtomicLong();

        private volatile @Nullable Consumer<SignedKey> notes;

        /** @param clock gives the time of day */
        public SignedKeyUses(InstantSource clock) {
            this.clock = clock;
        }

        /** Notes uses from now on. @param notes receives the keys; must not block for long */
        public void noteBy(Consumer<SignedKey> notes) {
            this.notes = notes;
        }

        /** Called at each use of a key. */
        public void used(SignedKey key) {
            Consumer<SignedKey> to = notes;
            if (to == null) {
                return;
            }
            long hash =
                    (key.id().getMostSignificantBits() ^ key.id().getLeastSignificantBits()) * 0x9E37_79B9_7F4A_7C15L;
            long nowMs = clock.millis();
            // The weeks of different keys begin at different times.
            long week = Math.floorDiv(nowMs + Math.floorMod(hash, NOTED_FOR_MS), NOTED_FOR_MS);
            long mark = hash ^ week;
            int slot = (int) (hash >>> 46);
            if (noted.get(slot) != mark && isOneOfFew(nowMs / 1000)) {
                noted.set(slot, mark);
                to.accept(key);
            }
        }

        private boolean isOneOfFew(long second) {
            long before = inSecond.get();
            long next = before >>> COUNT_BITS == second ? before + 1 : (second << COUNT_BITS) + 1;
            return (next & (1 << COUNT_BITS) - 1) <= MAX_PER_SECOND && inSecond.compareAndSet(before, next);
        }
    }
}
