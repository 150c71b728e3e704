package dev.laurel.query.read;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex;
import java.time.Duration;

/** Keys, tenants and secrets as of the moment of the read: every change that any gateway has answered is included. Thread-safe. */
public final class NewestAccess {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final AccessView access;

    public NewestAccess(AccessView access) {
        this.access = access;
    }

    /** @throws NotReadyException if it is not known in time whether there are newer records */
    public AccessIndex get() throws InterruptedException {
        if (!access.awaitNewest(TIMEOUT)) {
            throw new NotReadyException("keys, tenants and secrets cannot be followed now");
        }
        return access.index();
    }
}
