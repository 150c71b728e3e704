package dev.laurel.platform.access;

import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks API keys. Thread-safe. */
public interface ApiKeys {

    /** The holder of a key, which determines what the key permits. */
    sealed interface Principal {

        /** May do what the role permits, for all users of the tenant of a request. */
        record Admin(Actor actor) implements Principal {

            /** May do everything; the holder of a key that is not stored. */
            public static final Admin UNLIMITED = new Admin(Actor.ofKey(new UUID(0, 0), "admin", Role.ADMIN, null));

            public Role role() {
                return actor.role();
            }

            /** Whether it is bound to one tenant. */
            public boolean isBound() {
                return actor.tenant() != null;
            }
        }

        /**
         * May use the application API for this user.
         *
         * @param role {@link Role#VIEWER}: only for reads
         */
        record ApplicationUser(UserId user, Role role) implements Principal {}
    }

    /**
     * The permission that a key gives to one request.
     *
     * @param prefix prefix of the key; not secret
     * @param tenant tenant of the request; null if the request does not name an active one, or the key is bound to another
     * @param problem message for the client if {@code tenant} is null
     */
    record Grant(
            Principal principal,
            String prefix,
            @Nullable TenantId tenant,
            @Nullable String problem) {

        public static Grant of(Principal principal, String prefix, TenantId tenant) {
            return new Grant(principal, prefix, tenant, null);
        }

        /** The holder of the key; null if it is an application key. */
        public @Nullable Actor actor() {
            return principal instanceof Principal.Admin admin ? admin.actor() : null;
        }

        /** Whether it is that of an admin key or a person bound to one tenant. */
        public boolean isOfBoundActor() {
            return principal instanceof Principal.Admin admin && admin.isBound();
        }
    }

    /**
     * The grant of this key; null if the key is unknown or no longer valid. Compares in constant time.
     *
     * @param customerId the tenant that the request names; null or empty if it names none
     */
    @Nullable
    Grant grantOf(String key, @Nullable String customerId);
}
