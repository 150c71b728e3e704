package dev.laurel.schemas.http;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;

/** Who may call. Thread-safe. */
public interface ApiKeys {

    /** What a key lets its holder do. */
    sealed interface Principal {

        /** Everything, for all users. */
        record Admin() implements Principal {}

        /** The application API, for this user. */
        record ApplicationUser(UserId user) implements Principal {}
    }

    /**
     * What a key opens for one request.
     *
     * @param prefix of the key; no secret
     * @param tenant that the request is for; null if it names none that there is
     * @param problem null, or why there is no tenant, in words for the client
     */
    record Grant(Principal principal, String prefix, TenantId tenant, String problem) {

        public static Grant of(Principal principal, String prefix, TenantId tenant) {
            return new Grant(principal, prefix, tenant, null);
        }
    }

    /**
     * What this key opens; null if it is none of ours, or no longer. Compares in constant time.
     *
     * @param customerId the tenant that the request names, null or empty if it names none
     */
    Grant grantOf(String key, String customerId);
}
