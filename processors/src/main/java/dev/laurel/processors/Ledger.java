package dev.laurel.processors;

import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TickSender;
import dev.laurel.processors.topology.LedgerTopology;
import dev.laurel.schemas.command.Tick;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running ledger application of this process. */
public final class Ledger implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RULESET_PATIENCE = Duration.ofSeconds(30);

    private static final byte[] TICK = CommandJson.write(new Tick());

    private final KafkaStreams streams;
    private final Producer<byte[], byte[]> ticks;
    private final RulesetVersions rulesets;
    private final LogLayout layout;
    private final CountDownLatch running = new CountDownLatch(1);

    private Ledger(LedgerConfig config, NodeId node, Rulesets published, Consumer<Throwable> onFault) {
        this.ticks = tickProducer(config);
        this.rulesets = new RulesetVersions(published, RULESET_PATIENCE);
        this.layout = new LogLayout(ticks.partitionsFor(Topics.COMMANDS.name()).size());
        this.streams = new KafkaStreams(LedgerTopology.build(rulesets, tickSender(), layout, config.isCached()),
                config.streamsProperties(node));
        streams.setUncaughtExceptionHandler(fault -> {
            LOG.error("the ledger application stops", fault);
            onFault.accept(fault);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.setStateListener((now, before) -> {
            LOG.info("ledger: {} → {}", before, now);
            if (now == KafkaStreams.State.RUNNING) {
                running.countDown();
            }
        });
    }

    /**
     * Starts the application; it runs on threads of its own.
     *
     * @param node which member of the group this is, for as long as its state lives
     * @param published the rulesets, followed and caught up
     * @param onFault told once of what stopped it, on one of those threads
     */
    public static Ledger start(LedgerConfig config, NodeId node, Rulesets published, Consumer<Throwable> onFault) {
        var ledger = new Ledger(config, node, published, onFault);
        ledger.streams.start();
        return ledger;
    }

    /** Ticks go out beside the transactions: one held open on the log would keep every reader behind it waiting. */
    private static Producer<byte[], byte[]> tickProducer(LedgerConfig config) {
        Map<String, Object> properties = new HashMap<>(config.clientProperties());
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private TickSender tickSender() {
        return (partition, nowMs) -> ticks
                .send(new ProducerRecord<>(Topics.COMMANDS.name(), partition, nowMs, null, TICK), (_, failure) -> {
                    if (failure != null) {
                        LOG.warn("a tick for partition {} was not sent, the next one will be", partition, failure);
                    }
                });
    }

    /** Waits until the stores are restored and commands are processed. @return false if that took too long */
    public boolean awaitRunning(Duration timeout) throws InterruptedException {
        return running.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    public KafkaStreams streams() {
        return streams;
    }

    /** How users are spread over the log's partitions. */
    public LogLayout layout() {
        return layout;
    }

    /** The rulesets as this process has compiled them. */
    public RulesetVersions rulesets() {
        return rulesets;
    }

    /** Leaves the group, so that another node takes over at once, and closes the stores. */
    @Override
    public void close() {
        streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        ticks.close(Duration.ofSeconds(5));
    }
}
