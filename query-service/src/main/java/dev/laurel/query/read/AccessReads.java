package dev.laurel.query.read;

import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessView;
import java.time.Duration;

/** Who may call, as of the moment of the read: a change that any gateway has answered is in it. Thread-safe; knows no HTTP. */
public final class AccessReads {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final AccessView access;

    public AccessReads(AccessView access) {
        this.access = access;
    }

    /** @throws NotReadyException if it cannot be found out whether there are newer records */
    public AccessBook newest() throws InterruptedException {
        if (!access.awaitNewest(PATIENCE)) {
            throw new NotReadyException("keys and tenants cannot be followed now");
        }
        return access.book();
    }
}
