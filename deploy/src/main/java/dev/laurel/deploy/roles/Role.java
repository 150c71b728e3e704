package dev.laurel.deploy.roles;

import dev.laurel.platform.http.RouteTable.Routes;

/** A role of a process. A standalone has all of them. */
interface Role {

    /**
     * Waits until the role serves.
     *
     * @throws IllegalStateException if it has failed
     */
    void awaitReady() throws InterruptedException;

    /** Returns whether the role serves at this moment. Thread-safe. */
    boolean isReady();

    /** Returns the routes of its HTTP API. */
    Routes routes();
}
