package dev.laurel.schemas.http;

import dev.laurel.schemas.key.TenantId;

/** How many requests a tenant may make. Thread-safe. */
public interface RequestLimits {

    /** As many as it likes. */
    RequestLimits NONE = (_, _) -> 0;

    /** Requests are counted apart by what they cost. */
    enum Tier {
        /** Events and completions. */
        WRITE,
        /** Everything else. */
        OTHER
    }

    /** Counts one request. @return 0 if it may be made, else after how many seconds to try again */
    int retryAfterS(TenantId tenant, Tier tier);
}
