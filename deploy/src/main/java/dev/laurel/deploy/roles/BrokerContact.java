package dev.laurel.deploy.roles;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;

/**
 * Whether Kafka answers this process. Asked by anyone, as {@code /readyz} is: one question a second at most goes out, all who
 * ask meanwhile share its answer. Thread-safe.
 */
final class BrokerContact implements AutoCloseable {

    private static final int PATIENCE_MS = 2_000;
    private static final long FRESH_NS = Duration.ofSeconds(1).toNanos();
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Admin admin;
    private long askedNs = System.nanoTime() - FRESH_NS;
    private boolean isReachable;

    BrokerContact(KafkaCluster kafka) {
        this.admin = kafka.admin();
    }

    /** Waits two seconds at most. */
    synchronized boolean isReachable() {
        if (System.nanoTime() - askedNs >= FRESH_NS) {
            isReachable = ask();
            askedNs = System.nanoTime();
        }
        return isReachable;
    }

    private boolean ask() {
        try {
            return !admin.describeCluster(new DescribeClusterOptions().timeoutMs(PATIENCE_MS)).nodes()
                    .get(PATIENCE_MS, TimeUnit.MILLISECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException _) {
            return false; // the question was whether it answers
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        admin.close(CLOSE_TIMEOUT);
    }
}
