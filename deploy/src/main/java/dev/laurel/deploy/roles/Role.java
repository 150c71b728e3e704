package dev.laurel.deploy.roles;

import dev.laurel.schemas.http.Routes;

/** What a process can be; a standalone is all of them. */
public sealed interface Role permits GatewayRole, NodeRole, DeliveryRole {

    /** Waits until it serves. @throws IllegalStateException if it failed, or that took too long */
    void awaitReady() throws InterruptedException;

    /** Whether it serves at this moment. Thread-safe. */
    boolean isReady();

    /** What it answers over HTTP. */
    Routes routes();
}
