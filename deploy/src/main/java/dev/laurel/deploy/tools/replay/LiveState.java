package dev.laurel.deploy.tools.replay;

import static java.util.Objects.requireNonNull;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.Progress;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.store.BoardReader;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.topic.Generation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The state of the generation in force, copied from its changelogs with committed changes only, not from the nodes. The
 * copy is on disk and does not change between two calls of {@link #follow}. Used by one thread.
 */
final class LiveState implements ComparedState, AutoCloseable {

    static final List<String> LEDGER_STORES = List.of(StoreNames.USERS, StoreNames.METRIC_DAYS,
            StoreNames.STREAK_PERIODS, StoreNames.POINTS_LEDGER, StoreNames.IDEMPOTENCY_KEYS, StoreNames.TIMERS,
            StoreNames.COUNTERS, StoreNames.PARTITION_STATE);

    /** Only the entries are read; the other stores must exist for the reader. */
    private static final List<String> BOARD_STORES = List.of(StoreNames.LEADERBOARD_ENTRIES,
            StoreNames.LEADERBOARD_RUNS, StoreNames.LEADERBOARD_DAYS);

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final BooleanSupplier isStopped;
    private final RulesetVersions rulesets;
    private final BoardLayout boards;
    private final StoreCopy copy;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, String> storesByTopic = new HashMap<>();
    private final List<TopicPartition> changelogs = new ArrayList<>();

    /**
     * @param folder folder for the copy; must not exist
     * @param isStopped ends reading with an exception
     */
    LiveState(Map<String, Object> clientConfig, Generation generation, RulesetVersions rulesets, BoardLayout boards,
            Path folder, BooleanSupplier isStopped) {
        this.isStopped = isStopped;
        this.rulesets = rulesets;
        this.boards = boards;
        this.copy = new StoreCopy(folder, Stream.concat(LEDGER_STORES.stream(), BOARD_STORES.stream()).toList());
        var config = new HashMap<>(clientConfig);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        this.consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        LEDGER_STORES.forEach(store -> add(generation.ledgerApplication(), store));
        add(generation.boardsApplication(), StoreNames.LEADERBOARD_ENTRIES);
        consumer.assign(changelogs);
        consumer.seekToBeginning(changelogs);
    }

    private void add(String application, String store) {
        String topic = application + "-" + store + "-changelog";
        var partitions = consumer.partitionsFor(topic, TIMEOUT);
        if (partitions == null || partitions.isEmpty()) {
            throw new CommandFailed("there is no live state to compare with: Kafka has no topic " + topic
                    + "; check that Laurel has run with this Kafka");
        }
        storesByTopic.put(topic, store);
        partitions.forEach(partition -> changelogs.add(new TopicPartition(topic, partition.partition())));
    }

    /**
     * Copies all changes that are committed by now.
     *
     * @param progress receives the number of records
     */
    void follow(Progress progress) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(changelogs, TIMEOUT);
        long begun = position();
        long total = ends.values().stream().mapToLong(Long::longValue).sum() - begun;
        progress.begin("copy the live state", "records", Math.max(0, total));
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (isStopped.getAsBoolean()) {
                throw new ReplayRun.Stopped();
            }
            var records = consumer.poll(POLL);
            for (ConsumerRecord<byte[], byte[]> record : records) {
                copy.put(requireNonNull(storesByTopic.get(record.topic()), "assigned"), record.partition(),
                        record.key(),
                        record.value());
            }
            progress.stepTo(position() - begun);
            if (!records.isEmpty()) {
                deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
            } else if (System.nanoTime() - deadlineNs > 0) {
                throw new CommandFailed("Kafka returns no records of the changelogs of the live state for "
                        + TIMEOUT.toSeconds() + " s; a transaction may be open: see 'laurel doctor'");
            }
        }
        progress.end();
    }

    private long position() {
        return changelogs.stream().mapToLong(consumer::position).sum();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return copy.store(name, partition);
    }

    @Override
    public Ranking ranking(BoardGroup group) {
        int partition = boards.partitionOf(group.tenant(), group.board());
        return new BoardReader(name -> copy.store(name, partition)).ranking(group);
    }

    @Override
    public RulesetVersions rulesets() {
        return rulesets;
    }

    @Override
    public void close() {
        consumer.close();
        copy.close();
    }
}
