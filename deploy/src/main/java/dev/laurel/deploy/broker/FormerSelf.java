package dev.laurel.deploy.broker;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;

import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;

/**
 * Lets a killed broker be declared dead before it comes back. For some seconds after a crash the cluster's metadata say
 * that the old broker still leads all partitions. A broker that starts meanwhile believes it, takes up the transactions
 * that were half ended, loses its partitions for a moment when the old registration ends, and in that moment Kafka 4.3.1
 * takes a partition without a leader for a deleted one and forgets to end the transaction there (KAFKA-20734): whoever
 * reads committed records of it waits for ever. So the controller runs alone first, until it has fenced the old broker.
 *
 * <p>Only for a single broker. In a quorum the others do this, and they lead meanwhile.
 */
final class FormerSelf {
    private static final Logger LOG = LoggerFactory.getLogger(FormerSelf.class);

    /** Kafka writes it to the directory when it stops in good order, and removes it at the next start. */
    private static final String CLEAN_SHUTDOWN_MARK = ".kafka_cleanshutdown";
    private static final String METADATA = "__cluster_metadata-0";

    private static final Duration FENCING_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private FormerSelf() {}

    /** @param settings with the real ports; the directory is formatted and taken */
    static void awaitFenced(BrokerSettings settings) {
        if (settings.nodes() > 1 || !hasCrashed(settings.dataDir())) {
            return;
        }
        long startedNs = System.nanoTime();
        var controller = new KafkaRaftServer(new KafkaConfig(BrokerProperties.ofController(settings), false),
                Time.SYSTEM);
        try {
            controller.startup();
            awaitFenced(startedNs);
        } finally {
            controller.shutdown();
            controller.awaitShutdown();
        }
        LOG.info("the broker was killed; its old self was fenced after {} ms",
                Duration.ofNanos(System.nanoTime() - startedNs).toMillis());
    }

    private static boolean hasCrashed(Path dataDir) {
        return Files.exists(dataDir.resolve(METADATA)) && !Files.exists(dataDir.resolve(CLEAN_SHUTDOWN_MARK));
    }

    private static void awaitFenced(long startedNs) {
        while (count("ActiveControllerCount") < 1 || count("FencedBrokerCount") < 1 || count("ActiveBrokerCount") > 0) {
            if (System.nanoTime() - startedNs > FENCING_TIMEOUT.toNanos()) {
                LOG.warn("the killed broker was not fenced within {} s; was it ever registered?",
                        FENCING_TIMEOUT.toSeconds());
                return;
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    /** Of the controller's own metrics: an admin client that asks a controller is told of controllers, not of brokers. */
    private static int count(String metric) {
        try {
            var name = new ObjectName("kafka.controller:type=KafkaController,name=" + metric);
            return ((Number) ManagementFactory.getPlatformMBeanServer().getAttribute(name, "Value")).intValue();
        } catch (InstanceNotFoundException notYet) {
            return 0;
        } catch (JMException unexpected) {
            throw new BrokerStartFailed("cannot read the controller's metric " + metric, unexpected);
        }
    }
}
