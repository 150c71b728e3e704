package dev.laurel.deploy.broker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The Kafka configuration of an embedded broker. Names only the settings that differ from Kafka's defaults, each with
 * the reason. Topics choose their own retention and partitions; this class decides nothing about Laurel's topics.
 */
final class BrokerProperties {
    static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final String CLIENT_LISTENER = "PLAINTEXT";

    /**
     * Laurel has few groups and transactional ids, so few partitions suffice. Each partition costs files, memory and
     * start-up time; 50, the default, doubles the time of the first start. Kafka cannot change the number later.
     */
    private static final int INTERNAL_TOPIC_PARTITIONS = 4;
    private static final int INTERNAL_TOPIC_SEGMENT_BYTES = 16 * 1024 * 1024;

    /** Copies of the internal topics: as many as nodes, three at most. */
    private static final int REPLICATION_MAX = 3;

    /** Large enough for a ruleset document, the largest record. */
    private static final int RECORD_BYTES_MAX = 4 * 1024 * 1024;

    /**
     * Kafka allocates 128 MiB by default. This buffer indexes about 600,000 keys per cleaning pass; further keys wait
     * for the next pass.
     */
    private static final int CLEANER_BUFFER_BYTES = 16 * 1024 * 1024;

    private static final int IO_THREADS_MAX = 8;
    private static final int QUEUED_REQUESTS_MAX = 200;

    /** Short enough to replace a crashed member in seconds, long enough for a garbage collection. */
    private static final int SESSION_TIMEOUT_MIN_MS = 1_000;

    /**
     * A committed offset must outlive any time that the program is switched off, because a ledger without offsets
     * would count events twice. Ten years stand for unlimited.
     */
    private static final long OFFSETS_RETENTION_MINUTES = TimeUnit.DAYS.toMinutes(3_650);

    /**
     * After a crash the controller considers the old broker alive until this time has passed, and the new broker
     * waits for it. Kafka's 9 s would be most of a restart. Heartbeats, sent three times per session, are most of the
     * work of an idle broker.
     */
    private static final int BROKER_SESSION_TIMEOUT_MS = 3_000;
    private static final int BROKER_HEARTBEAT_INTERVAL_MS = 1_000;

    /** For a controller without brokers, which has no answers to wait for. */
    private static final int LONELY_SESSION_TIMEOUT_MS = 300;

    /**
     * Interval at which an idle controller writes an empty record. Kafka's default, twice a second, only wears the
     * disk.
     */
    private static final int METADATA_IDLE_INTERVAL_MS = 5_000;

    private static final long STARTUP_MS_MAX = 60_000;

    private BrokerProperties() {}

    /** @param settings with the chosen ports, not 0 */
    static Map<String, Object> of(BrokerSettings settings) {
        Map<String, Object> properties = new LinkedHashMap<>();
        putIdentity(properties, settings);
        putInternalTopics(properties, settings);
        putLogs(properties, settings);
        putGroups(properties);
        putResources(properties);
        properties.putAll(settings.further());
        // Text, as in a properties file: Kafka parses it into the type of each setting but refuses an int for a
        // short.
        properties.replaceAll((key, value) -> value.toString());
        return properties;
    }

    /** Returns the properties of the same node without its broker. */
    static Map<String, Object> ofController(BrokerSettings settings) {
        Map<String, Object> properties = of(settings);
        properties.put("process.roles", "controller");
        properties.put("broker.heartbeat.interval.ms", Integer.toString(LONELY_SESSION_TIMEOUT_MS / 3));
        properties.put("broker.session.timeout.ms", Integer.toString(LONELY_SESSION_TIMEOUT_MS));
        properties.put("listeners",
                CONTROLLER_LISTENER + "://" + settings.controllerHost() + ":" + settings.controllerPort());
        properties.remove("advertised.listeners");
        properties.remove("inter.broker.listener.name");
        return properties;
    }

    private static void putIdentity(Map<String, Object> properties, BrokerSettings settings) {
        String clients = CLIENT_LISTENER + "://" + settings.host() + ":" + settings.port();
        String controller = CONTROLLER_LISTENER + "://" + settings.controllerHost() + ":" + settings.controllerPort();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", settings.nodeId());
        properties.put("controller.quorum.voters", voters(settings));
        properties.put("controller.listener.names", CONTROLLER_LISTENER);
        properties.put("listeners", clients + "," + controller);
        properties.put("advertised.listeners", clients);
        properties.put("inter.broker.listener.name", CLIENT_LISTENER);
        properties.put("listener.security.protocol.map",
                CLIENT_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
        properties.put("log.dirs", settings.dataDir().toString());
        properties.put("broker.session.timeout.ms", BROKER_SESSION_TIMEOUT_MS);
        properties.put("broker.heartbeat.interval.ms", BROKER_HEARTBEAT_INTERVAL_MS);
        properties.put("metadata.max.idle.interval.ms", METADATA_IDLE_INTERVAL_MS);
        if (settings.nodes() == 1) {
            properties.put("server.max.startup.time.ms", STARTUP_MS_MAX);
        } // A node of a quorum waits for the other nodes as long as they need to start.
    }

    /**
     * Voters are static: their addresses are in this configuration, so a data directory can be used with other ports.
     */
    private static String voters(BrokerSettings settings) {
        if (settings.quorum().isEmpty()) {
            return settings.nodeId() + "@" + settings.controllerHost() + ":" + settings.controllerPort();
        }
        return settings.quorum().entrySet().stream().map(voter -> voter.getKey() + "@" + voter.getValue())
                .collect(Collectors.joining(","));
    }

    private static void putInternalTopics(Map<String, Object> properties, BrokerSettings settings) {
        int replication = Math.min(REPLICATION_MAX, settings.nodes());
        int inSyncMin = replication == 1 ? 1 : 2;
        // A misspelt topic name must fail, not create a topic.
        properties.put("auto.create.topics.enable", false);
        properties.put("default.replication.factor", replication);
        properties.put("min.insync.replicas", inSyncMin);
        properties.put("offsets.topic.num.partitions", INTERNAL_TOPIC_PARTITIONS);
        properties.put("offsets.topic.replication.factor", replication);
        properties.put("offsets.topic.segment.bytes", INTERNAL_TOPIC_SEGMENT_BYTES);
        properties.put("offsets.retention.minutes", OFFSETS_RETENTION_MINUTES);
        properties.put("transaction.state.log.num.partitions", INTERNAL_TOPIC_PARTITIONS);
        properties.put("transaction.state.log.replication.factor", replication);
        properties.put("transaction.state.log.min.isr", inSyncMin);
        properties.put("transaction.state.log.segment.bytes", INTERNAL_TOPIC_SEGMENT_BYTES);
        // The first records after a commit wait until its markers are written. With Kafka's 20 ms between attempts
        // and its limit of 100 ms, every reply would be slower twice a second.
        properties.put("add.partitions.to.txn.retry.backoff.ms", 2);
        properties.put("add.partitions.to.txn.retry.backoff.max.ms", 2_000);
    }

    private static void putLogs(Map<String, Object> properties, BrokerSettings settings) {
        // An event carries the time at which it happened, which may be decades ago. Times in the future are limited
        // to one hour, except with a test clock.
        properties.put("log.message.timestamp.before.max.ms", Long.MAX_VALUE);
        if (settings.takesFuture()) {
            properties.put("log.message.timestamp.after.max.ms", Long.MAX_VALUE);
        }
        properties.put("message.max.bytes", RECORD_BYTES_MAX);
        properties.put("replica.fetch.max.bytes", RECORD_BYTES_MAX);
        properties.put("log.cleaner.dedupe.buffer.size", CLEANER_BUFFER_BYTES);
    }

    private static void putGroups(Map<String, Object> properties) {
        // The delay is meant for clients that start one after the other; here it would only slow down every start.
        properties.put("group.initial.rebalance.delay.ms", 0);
        properties.put("group.streams.initial.rebalance.delay.ms", 0);
        properties.put("group.min.session.timeout.ms", SESSION_TIMEOUT_MIN_MS);
        properties.put("group.coordinator.threads", 1);
        properties.put("share.coordinator.threads", 1);
    }

    private static void putResources(Map<String, Object> properties) {
        int processors = Runtime.getRuntime().availableProcessors();
        properties.put("num.network.threads", 2);
        properties.put("num.io.threads", Math.clamp(processors, 2, IO_THREADS_MAX));
        properties.put("background.threads", 2);
        properties.put("queued.max.requests", QUEUED_REQUESTS_MAX);
        properties.put("metric.reporters", "");
    }
}
