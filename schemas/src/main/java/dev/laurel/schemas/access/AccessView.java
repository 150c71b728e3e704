package dev.laurel.schemas.access;

import java.time.Duration;

/** Who may call, as far as it is known here. Thread-safe. */
public interface AccessView {

    AccessBook book();

    /**
     * Waits until everything is known here that was written before this call.
     *
     * @return false if that cannot be found out in time
     */
    boolean awaitNewest(Duration timeout) throws InterruptedException;
}
