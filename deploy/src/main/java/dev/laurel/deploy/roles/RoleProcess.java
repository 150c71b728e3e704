package dev.laurel.deploy.roles;

import dev.laurel.processors.stream.CatchUp;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.trace.Tracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(RoleProcess.class);

    /** With metrics of its own. */
    public RoleProcess(KafkaCluster kafka, InstantSource clock, Tracing tracing, StartedParts parts,
            CompletableFuture<Throwable> fault) {
        this(kafka, clock, tracing, parts, new Metrics(), fault);
    }

    /** How long a topic that everything depends on may take to be read, or asked about. */
    static final Duration TABLE_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration TELL_EVERY = Duration.ofSeconds(30);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    /** An application of this process; false if it is not ready after that time. */
    interface Readiness {

        boolean await(Duration timeout) throws InterruptedException;
    }

    /**
     * Waits for an application, however long restoring its state and processing what is behind that take: giving up would only
     * make it begin once more. Every 30 s the log says what it is at; a fault ends the waiting.
     *
     * @param application its name, for people
     * @param left what it has yet to do, for people
     * @throws IllegalStateException if it failed
     */
    void await(String application, Readiness readiness, Supplier<String> left) throws InterruptedException {
        long startNs = System.nanoTime();
        long toldNs = startNs;
        while (!readiness.await(LOOK_AGAIN)) {
            if (fault.isDone()) {
                throw new IllegalStateException("the " + application + " application failed at its start",
                        fault.join());
            }
            long nowNs = System.nanoTime();
            if (nowNs - toldNs >= TELL_EVERY.toNanos()) {
                toldNs = nowNs;
                LOG.info("the {} application is not ready after {} s: {}", application,
                        TimeUnit.NANOSECONDS.toSeconds(nowNs - startNs), left.get());
            }
        }
    }

    /** The same for one that restores stores, and then catches up with what it reads. */
    void await(String application, Readiness readiness, CatchUp catchUp) throws InterruptedException {
        await(application, readiness, () -> {
            long records = catchUp.left();
            return records > 0
                    ? String.format(Locale.ROOT, "%,d records left", records)
                    : "its stores are being restored";
        });
    }
}
