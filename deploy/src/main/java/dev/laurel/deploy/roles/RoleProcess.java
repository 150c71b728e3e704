package dev.laurel.deploy.roles;

import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.trace.Tracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * What the roles of one process share. A role adds what it starts to {@code parts}, so that a start that fails half way is
 * undone by closing them.
 *
 * @param clock the time that the process goes by
 * @param tracing follows requests through all roles
 * @param metrics of the process
 * @param fault completes with what went wrong when a role cannot go on: the process should end then
 */
public record RoleProcess(KafkaCluster kafka, InstantSource clock, Tracing tracing, StartedParts parts,
        Metrics metrics, CompletableFuture<Throwable> fault) {

    /** With metrics of its own. */
    public RoleProcess(KafkaCluster kafka, InstantSource clock, Tracing tracing, StartedParts parts,
            CompletableFuture<Throwable> fault) {
        this(kafka, clock, tracing, parts, new Metrics(), fault);
    }

    /** How long a topic that everything depends on may take to be read, or asked about. */
    static final Duration TABLE_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    /** An application of this process; false if it is not ready after that time. */
    interface Readiness {

        boolean await(Duration timeout) throws InterruptedException;
    }

    /**
     * Waits for an application. Restoring a large state and processing what is behind it take their time; a fault ends the
     * waiting.
     *
     * @param application its name, for people
     * @throws IllegalStateException if it failed, or is not ready after ten minutes
     */
    void await(String application, Readiness readiness) throws InterruptedException {
        long deadlineNs = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!readiness.await(LOOK_AGAIN)) {
            if (fault.isDone()) {
                throw new IllegalStateException("the " + application + " application failed at its start",
                        fault.join());
            }
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(
                        "the " + application + " application is not ready after " + START_TIMEOUT);
            }
        }
    }
}
