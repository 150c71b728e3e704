package dev.laurel.deploy.broker;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.processors.generation.Condition;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the cluster has fenced the registration of a killed broker before the broker starts again. For some
 * seconds after a crash, the cluster metadata says that the old broker still leads all partitions. A broker that
 * starts meanwhile trusts that, resumes the half-finished transactions, and loses its partitions for a moment when
 * the old registration ends. In that moment Kafka 4.4.0 takes a partition without a leader for a deleted one and does
 * not finish the transaction there (KAFKA-20734), so consumers of committed records wait forever. The controller
 * therefore runs alone first, until it has fenced the old broker.
 *
 * <p>Only for a single broker. In a quorum the other nodes fence it, and lead its partitions meanwhile.
 */
final class StaleBrokerFencing {
    private static final Logger LOG = LoggerFactory.getLogger(StaleBrokerFencing.class);

    /** Kafka writes this file when it stops cleanly and removes it at the next start. */
    private static final String CLEAN_SHUTDOWN_MARK = ".kafka_cleanshutdown";

    private static final String METADATA = "__cluster_metadata-0";

    private static final Duration FENCING_TIMEOUT = Duration.ofSeconds(20);
    private static final long POLL_INTERVAL_MS = 50;

    private StaleBrokerFencing() {}

    /** @param settings with the chosen ports; the directory is formatted and locked */
    static void awaitFenced(BrokerSettings settings) throws InterruptedException {
        if (settings.nodes() > 1 || !hasCrashed(settings.dataDir())) {
            return;
        }
        long startedNs = System.nanoTime();
        var controller =
                new KafkaRaftServer(new KafkaConfig(BrokerProperties.ofController(settings), false), Time.SYSTEM);
        try {
            controller.startup();
            if (!Condition.await(FENCING_TIMEOUT, POLL_INTERVAL_MS, StaleBrokerFencing::isFenced)) {
                LOG.warn(
                        "The registration of the killed broker was not fenced within {} s; starting anyway",
                        FENCING_TIMEOUT.toSeconds());
            }
        } finally {
            controller.shutdown();
            controller.awaitShutdown();
        }
        LOG.info(
                "The broker was killed; its old registration was fenced after {} ms",
                Duration.ofNanos(System.nanoTime() - startedNs).toMillis());
    }

    /** A directory that was only formatted has a first snapshot of the metadata, and no log of it. */
    private static boolean hasCrashed(Path dataDir) {
        String[] logs = dataDir.resolve(METADATA).toFile().list((_, name) -> name.endsWith(".log"));
        return logs != null && logs.length > 0 && !Files.exists(dataDir.resolve(CLEAN_SHUTDOWN_MARK));
    }

    private static boolean isFenced() {
        return count("ActiveControllerCount") > 0 && count("FencedBrokerCount") > 0 && count("ActiveBrokerCount") == 0;
    }

    /**
     * Reads a metric of the controller. Admin clients cannot be used: a controller describes controllers to them, not
     * brokers.
     */
    private static int count(String metric) {
        try {
            var name = new ObjectName("kafka.controller:type=KafkaController,name=" + metric);
            return ((Number) ManagementFactory.getPlatformMBeanServer().getAttribute(name, "Value")).intValue();
        } catch (InstanceNotFoundException notYet) {
            return 0;
        } catch (JMException unexpected) {
            throw new CommandFailed("cannot read the controller's metric " + metric, unexpected);
        }
    }
}
