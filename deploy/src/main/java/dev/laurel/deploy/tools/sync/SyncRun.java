package dev.laurel.deploy.tools.sync;

import dev.laurel.connect.RowSet;
import dev.laurel.connect.StoreRows;
import dev.laurel.connect.Table;
import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.KafkaClients;
import dev.laurel.deploy.cli.Progress;
import dev.laurel.deploy.tools.sync.Warehouse.Position;
import dev.laurel.deploy.tools.sync.Warehouse.State;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.store.StoredEntry;
import dev.laurel.schemas.topic.Generation;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/**
 * Reads the committed records of the changelog topics of the generation in force, from where the tables are, and writes what they say. It
 * begins anew, with empty tables, if the tables cannot be continued: another generation is in force, the topics are others, or a deletion
 * may have been missed. One thread.
 */
final class SyncRun {

    private static final Logger LOG = LoggerFactory.getLogger(SyncRun.class);

    /** Of the tables; another one makes the sync begin anew. */
    private static final int FORMAT = 1;

    /** A tombstone stays in a changelog topic for at least a day after compaction has met it: half of it, as for followers. */
    private static final Duration MAX_GAP = Duration.ofHours(12);

    private static final int MAX_ROWS = 50_000;
    private static final int MAX_POLL_RECORDS = 2_000;
    private static final Duration POLL = Duration.ofMillis(200);

    /** Records that arrive one by one are written together: a transaction costs more than a row. */
    private static final long WRITE_AFTER_NS = Duration.ofMillis(100).toNanos();
    private static final long LOAD_AFTER_NS = Duration.ofSeconds(2).toNanos();
    private static final long LOOK_EVERY_NS = Duration.ofSeconds(1).toNanos();
    private static final long NOT_BEGUN = Long.MIN_VALUE;
    private static final long CONFIRM_EVERY_MS = Duration.ofMinutes(1).toMillis();

    /** The position of {@code ruleset_version} in rows of awards. */
    private static final int VERSION_OF_AWARD = Table.names(Table.AWARDS.columns()).indexOf("ruleset_version");

    private final KafkaAccess kafka;
    private final GenerationTable generations;
    private final RulesetTable rulesets;
    private final SyncFigures figures;
    private final Progress progress;
    private final BooleanSupplier isStopped;

    /** Why the tables are to be emptied first; null: they need not. */
    private @Nullable String beginning;

    /** How a session of one connection ended. */
    enum End {
        /** Everything that was there at the beginning is in the tables. */
        LOADED,
        /** Another generation came into force, or records are no longer there. */
        BEGIN_ANEW, STOPPED
    }

    /** @param reload whether to begin anew */
    SyncRun(KafkaAccess kafka, GenerationTable generations, RulesetTable rulesets, SyncFigures figures,
            Progress progress, BooleanSupplier isStopped, boolean reload) {
        this.kafka = kafka;
        this.generations = generations;
        this.rulesets = rulesets;
        this.figures = figures;
        this.progress = progress;
        this.isStopped = isStopped;
        this.beginning = reload ? "--reload was given" : null;
    }

    /** @param once whether to end when the tables have what was there at the beginning */
    End run(Warehouse warehouse, boolean once) throws SQLException {
        Generation generation = new Generation(generations.inForce().number(), generations.inForce().log());
        try (Admin admin = KafkaClients.admin(kafka); var consumer = consumer()) {
            var session = new Session(warehouse, generation, admin, consumer);
            session.begin();
            return session.follow(once);
        } catch (OffsetOutOfRangeException e) {
            beginning = "records that they lack are no longer in Kafka: " + e.getMessage();
            return End.BEGIN_ANEW;
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(kafka.with(Map.of(ConsumerConfig.CLIENT_ID_CONFIG, "laurel-sync",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, IsolationLevel.READ_COMMITTED.toString(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none", ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                200)),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** The changelog topics of a generation that tables are made of. */
    static List<String> topics(Generation generation) {
        return StoredEntry.STORES.stream()
                .map(store -> Generation.changelog(store.startsWith("leaderboard-")
                        ? generation.boardsApplication()
                        : generation.ledgerApplication(), store))
                .toList();
    }

    /** The work with one connection to the database. */
    private final class Session {

        private final Warehouse warehouse;
        private final Generation generation;
        private final Admin admin;
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final ObjectReader objects;
        private final Map<TopicPartition, Position> positions = new HashMap<>();
        private final Map<String, String> stores = new HashMap<>();
        private State state;
        private RowBatch batch = new RowBatch();
        private long batchBegunNs = NOT_BEGUN;
        private long lookedNs = System.nanoTime();

        /** The ends of the partitions at some moment, which the tables are to reach. */
        private Map<TopicPartition, Long> ends = Map.of();
        private long endsMs;
        private long confirmedMs;
        private boolean isCurrent;

        Session(Warehouse warehouse, Generation generation, Admin admin, KafkaConsumer<byte[], byte[]> consumer)
                throws SQLException {
            this.warehouse = warehouse;
            this.generation = generation;
            this.admin = admin;
            this.consumer = consumer;
            this.state = new State(FORMAT, KafkaClients.get(admin.describeCluster().clusterId()), generation.number(),
                    false, System.currentTimeMillis());
            this.objects = new ObjectReader(rulesets, warehouse.versions());
        }

        void begin() throws SQLException {
            Map<String, TopicDescription> topics = describe();
            topics.keySet().forEach(topic -> stores.put(topic, String.valueOf(StoreRows.storeOf(topic))));
            List<TopicPartition> partitions = topics.values().stream()
                    .flatMap(topic -> KafkaClients.partitions(topic.name(), topic.partitions().size()).stream())
                    .toList();
            Map<TopicPartition, Long> first = KafkaClients.offsets(admin, partitions, OffsetSpec.earliest(),
                    IsolationLevel.READ_COMMITTED);
            endsMs = System.currentTimeMillis();
            ends = KafkaClients.offsets(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
            State known = warehouse.state();
            Map<TopicPartition, Position> read = warehouse.positions();
            String problem = beginning != null ? beginning : problem(known, read, topics, partitions);
            if (problem != null) {
                if (known != null) {
                    LOG.warn("The tables are emptied and loaded anew: {}", problem);
                }
                warehouse.reset(state);
                beginning = null;
                read = Map.of();
                objects.forget();
            } else if (known != null) {
                state = known;
            }
            for (TopicPartition partition : partitions) {
                Position position = read.get(partition);
                positions.put(partition, position != null
                        ? position
                        : new Position(requireNonNull(topics.get(partition.topic())).topicId(),
                                first.getOrDefault(partition, 0L)));
            }
            consumer.assign(partitions);
            positions.forEach((partition, position) -> consumer.seek(partition, position.next()));
        }

        private Map<String, TopicDescription> describe() {
            List<String> names = topics(generation);
            var missing = new TreeSet<>(names);
            missing.removeAll(KafkaClients.get(admin.listTopics().names()));
            if (!missing.isEmpty()) {
                throw new CommandFailed("Kafka at " + kafka.bootstrapServers() + " has no topic " + missing.first()
                        + ": start Laurel first; nodes create the changelog topics");
            }
            return KafkaClients.get(admin.describeTopics(names).allTopicNames());
        }

        /** Why the tables cannot be continued; null if they can. @throws CommandFailed if they are those of others */
        private @Nullable String problem(@Nullable State known, Map<TopicPartition, Position> read,
                Map<String, TopicDescription> topics, Collection<TopicPartition> partitions) {
            if (known == null) {
                return "they are new";
            }
            if (!known.cluster().equals(state.cluster())) {
                throw new CommandFailed("the tables are those of another Kafka cluster, " + known.cluster()
                        + "; this is "
                        + state.cluster() + ": name another database, or give --reload to empty the tables first");
            }
            if (known.format() != FORMAT) {
                return "they have the format " + known.format() + ", this version of Laurel has " + FORMAT;
            }
            if (known.generation() != generation.number()) {
                return "generation " + generation.number() + " has replaced generation " + known.generation();
            }
            boolean isBehind = false;
            for (TopicPartition partition : partitions) {
                Position position = read.get(partition);
                if (position != null
                        && !position.topic().equals(requireNonNull(topics.get(partition.topic())).topicId())) {
                    return partition.topic() + " is another topic of this name";
                }
                isBehind |= position == null || ends.getOrDefault(partition, 0L) > position.next();
            }
            long gapMs = state.confirmedMs() - known.confirmedMs();
            return isBehind && gapMs > MAX_GAP.toMillis()
                    ? "nothing was read for more than " + MAX_GAP.toHours() + " hours, so deletions may be missed"
                    : null;
        }

        End follow(boolean once) throws SQLException {
            long from = positions.values().stream().mapToLong(Position::next).sum();
            progress.begin(state.isLoaded() ? "catch up" : "load the tables", "records", sum(ends) - from);
            while (!isStopped.getAsBoolean()) {
                if (generations.inForce().number() != generation.number()) {
                    return End.BEGIN_ANEW;
                }
                var records = consumer.poll(untilDue());
                records.forEach(this::add);
                if (isDue(records.isEmpty())) {
                    write(state, false);
                }
                if (!isCurrent) {
                    progress.stepTo(sum(read()) - from);
                }
                if (look() && once) {
                    return End.LOADED;
                }
            }
            write(state, false);
            return End.STOPPED;
        }

        private static long sum(Map<TopicPartition, Long> offsets) {
            return offsets.values().stream().mapToLong(Long::longValue).sum();
        }

        private void add(ConsumerRecord<byte[], byte[]> record) {
            if (batchBegunNs == NOT_BEGUN) {
                batchBegunNs = System.nanoTime();
            }
            List<RowSet> sets;
            try {
                sets = StoreRows.of(stores.getOrDefault(record.topic(), ""), record.key(), record.value());
            } catch (RuntimeException e) {
                throw new CommandFailed(
                        "the record at offset " + record.offset() + " of partition " + record.partition()
                                + " of " + record.topic() + " cannot be read: " + e.getMessage()
                                + "; upgrade 'laurel sync' before the nodes",
                        e);
            }
            for (RowSet set : sets) {
                batch.add(set);
                if (!set.rows().isEmpty()) {
                    String tenant = (String) set.scope().getFirst();
                    objects.meet(tenant);
                    if (set.table() == Table.AWARDS) {
                        set.rows().forEach(row -> objects.meet(tenant, (Long) requireNonNull(row[VERSION_OF_AWARD])));
                    }
                }
            }
        }

        /** How long to wait for records: not longer than what has arrived may wait to be written. */
        private Duration untilDue() {
            return batchBegunNs == NOT_BEGUN || !isCurrent
                    ? POLL
                    : Duration.ofNanos(Math.max(0, WRITE_AFTER_NS - (System.nanoTime() - batchBegunNs)));
        }

        /** Whether the batch is to be written, between two polls, when the consumer's positions are those of the batch. */
        private boolean isDue(boolean isIdle) {
            return batchBegunNs != NOT_BEGUN && (isIdle || batch.rows() >= MAX_ROWS
                    || System.nanoTime() - batchBegunNs >= (isCurrent ? WRITE_AFTER_NS : LOAD_AFTER_NS));
        }

        private Map<TopicPartition, Long> read() {
            var read = new HashMap<TopicPartition, Long>();
            positions.keySet().forEach(partition -> read.put(partition, consumer.position(partition)));
            return read;
        }

        /** @param all whether the rules of all tenants are looked at, or of those alone that have first rows */
        private void write(State changed, boolean all) throws SQLException {
            var moved = new HashMap<TopicPartition, Position>();
            read().forEach((partition, next) -> {
                Position known = requireNonNull(positions.get(partition));
                if (next != known.next()) {
                    moved.put(partition, new Position(known.topic(), next));
                }
            });
            List<Warehouse.Objects> rules = objects.changes(all);
            boolean isChanged = !changed.equals(state);
            if (batchBegunNs != NOT_BEGUN || !moved.isEmpty() || !rules.isEmpty() || isChanged) {
                warehouse.write(batch, new Warehouse.Progress(moved, rules, isChanged ? changed : null));
            }
            objects.written(rules);
            figures.wrote(batch.rows());
            positions.putAll(moved);
            state = changed;
            batch = new RowBatch();
            batchBegunNs = NOT_BEGUN;
        }

        /**
         * Compares how far the topics were read with their ends, and asks for the ends again, once a second.
         *
         * @return whether the tables have everything that was there at some moment of this session
         */
        private boolean look() throws SQLException {
            Map<TopicPartition, Long> read = read();
            long left = 0;
            for (var end : ends.entrySet()) {
                left += Math.max(0, end.getValue() - read.getOrDefault(end.getKey(), 0L));
            }
            if (left == 0 && batchBegunNs == NOT_BEGUN) {
                confirm();
            }
            if (System.nanoTime() - lookedNs >= LOOK_EVERY_NS) {
                if (left == 0) {
                    endsMs = System.currentTimeMillis();
                    // Not by the consumer, whose fetch may wait for records.
                    ends = KafkaClients.offsets(admin, positions.keySet(), OffsetSpec.latest(),
                            IsolationLevel.READ_COMMITTED);
                }
                lookedNs = System.nanoTime();
                if (isCurrent) {
                    write(state, true);
                }
            }
            figures.show(left, isCurrent ? confirmedMs : 0);
            return isCurrent;
        }

        /** The tables have everything up to {@code endsMs}. */
        private void confirm() throws SQLException {
            confirmedMs = endsMs;
            if (!isCurrent || confirmedMs - state.confirmedMs() >= CONFIRM_EVERY_MS) {
                write(new State(FORMAT, state.cluster(), state.generation(), true, confirmedMs), true);
            }
            if (!isCurrent) {
                isCurrent = true;
                progress.end();
                warehouse.analyze();
                LOG.info("The tables have everything up to {}", Instant.ofEpochMilli(confirmedMs));
            }
        }
    }
}
