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
    private int brokers;

    BrokerContact(KafkaCluster kafka) {
        this.admin = kafka.admin();
    }

    boolean isReachable() {
        return brokers() > 0;
    }

    /** Those that are up, 0 if none answers. Waits two seconds at most. */
    synchronized int brokers() {
        if (System.nanoTime() - askedNs >= FRESH_NS) {
            brokers = ask();
            askedNs = System.nanoTime();
        }
        return brokers;
    }

    private int ask() {
        try {
            return admin.describeCluster(new DescribeClusterOptions().timeoutMs(PATIENCE_MS)).nodes()
                    .get(PATIENCE_MS, TimeUnit.MILLISECONDS).size();
        } catch (ExecutionException | TimeoutException _) {
            return 0; // the question was whether it answers
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    @Override
    public void close() {
        admin.close(CLOSE_TIMEOUT);
    }
}
