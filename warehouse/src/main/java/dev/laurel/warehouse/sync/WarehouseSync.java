package dev.laurel.warehouse.sync;

import static java.util.Objects.requireNonNull;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.Progress;
import dev.laurel.platform.kafka.Follower;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.platform.kafka.Follower.Position.Place;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.warehouse.RowSet;
import dev.laurel.warehouse.StoreRows;
import dev.laurel.warehouse.Table;
import dev.laurel.warehouse.sync.Warehouse.State;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a {@link Follower} read the changelog topics of the generation in force into the tables of a database, from where they are. The
 * tables are emptied and loaded anew whenever the follower begins anew, and when another generation comes into force. One thread.
 *
 * @param isReload whether the tables are to be emptied first; false from then on
 */
public record WarehouseSync(
        KafkaAccess kafka,
        GenerationTable generations,
        RulesetTable rulesets,
        SyncFigures figures,
        Progress progress,
        BooleanSupplier isStopped,
        AtomicBoolean isReload) {

    private static final Logger LOG = LoggerFactory.getLogger(WarehouseSync.class);

    /** Of the tables; another one makes the sync begin anew. */
    private static final int FORMAT = 2;

    private static final int MAX_ROWS = 50_000;

    /** Records that arrive one by one are written together: a transaction costs more than a row. */
    private static final long WRITE_AFTER_NS = Duration.ofMillis(100).toNanos();

    private static final long LOAD_AFTER_NS = Duration.ofSeconds(2).toNanos();
    private static final Duration MAX_PAUSE = Duration.ofSeconds(30);
    private static final long CONFIRM_EVERY_MS = Duration.ofMinutes(1).toMillis();

    /** The position of {@code ruleset_version} in rows of awards. */
    private static final int VERSION_OF_AWARD =
            Table.names(Table.AWARDS.columns()).indexOf("ruleset_version");

    /** How a session of one connection ended. */
    private enum End {
        /** Everything that was there at the beginning is in the tables. */
        LOADED,
        /** Another generation came into force. */
        BEGIN_ANEW,
        STOPPED
    }

    /** Waits for so long, or until the process is asked to end. */
    public interface Pause {
        void await(Duration duration) throws InterruptedException;
    }

    /**
     * Follows until the end. A failure at the first try is the operator's; later the database may come back.
     *
     * @param shown address of the database, for people
     * @param once whether to end when the tables have what was there at the beginning
     * @return then the numbers of rows by table; otherwise empty
     */
    public Map<Table, Long> keep(Dialect dialect, Properties properties, String shown, boolean once, Pause retry)
            throws InterruptedException {
        boolean hasWorked = false;
        Duration pause = Duration.ofSeconds(1);
        while (!isStopped.getAsBoolean()) {
            try (Warehouse warehouse = Warehouse.open(dialect, properties)) {
                hasWorked = true;
                End end = run(warehouse, once);
                while (end == End.BEGIN_ANEW) {
                    LOG.info("The sync begins anew");
                    end = run(warehouse, once);
                }
                return end == End.LOADED ? warehouse.count() : Map.of();
            } catch (SQLException e) {
                if (isStopped.getAsBoolean()) {
                    break;
                }
                if (!hasWorked || !SqlFailure.isTransient(e)) {
                    throw SqlFailure.of(shown, e);
                }
                figures.failed();
                LOG.warn("{}; trying again in {} s", SqlFailure.of(shown, e).getMessage(), pause.toSeconds());
                retry.await(pause);
                pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
            }
        }
        return Map.of();
    }

    /** @param once whether to end when the tables have what was there at the beginning */
    private End run(Warehouse warehouse, boolean once) throws SQLException {
        Generation generation = generations.inForce().generation();
        var session = new Session(warehouse, generation, clusterWith(topics(generation)), once);
        try (Follower follower = session.follower) {
            follower.run();
            return session.end;
        } catch (DatabaseFailed e) {
            throw e.failure;
        }
    }

    /** The changelog topics of a generation that tables are made of. */
    static List<String> topics(Generation generation) {
        return StoreRows.STORES.stream()
                .map(store -> Generation.changelog(
                        store.startsWith("leaderboard-")
                                ? generation.boardsApplication()
                                : generation.ledgerApplication(),
                        store))
                .toList();
    }

    /** The id of the cluster. @throws CommandFailed if it lacks one of these topics */
    private String clusterWith(List<String> topics) {
        try (Admin admin = KafkaClients.admin(kafka)) {
            var missing = new TreeSet<>(topics);
            missing.removeAll(KafkaClients.topics(admin));
            if (!missing.isEmpty()) {
                throw new CommandFailed("Kafka at " + kafka.bootstrapServers() + " has no topic " + missing.first()
                        + ": start Laurel first; nodes create the changelog topics");
            }
            return KafkaClients.get(admin.describeCluster().clusterId());
        }
    }

    /** A failure of the database on its way through the follower. */
    private static final class DatabaseFailed extends RuntimeException {

        private final SQLException failure;

        DatabaseFailed(SQLException failure) {
            super(failure);
            this.failure = failure;
        }
    }

    private interface Question<T> {
        @Nullable
        T ask() throws SQLException;
    }

    private static <T> @Nullable T ask(Question<T> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw new DatabaseFailed(e);
        }
    }

    private interface Change {
        void make() throws SQLException;
    }

    private static void make(Change change) {
        ask(() -> {
            change.make();
            return true;
        });
    }

    /** The work with one connection to the database. */
    private final class Session implements Follower.Sink {

        private final Warehouse warehouse;
        private final ObjectReader objects;
        private final Follower follower;
        private final boolean isOnce;
        private final Map<TopicPartition, Place> stored = new HashMap<>();
        private State state;
        private End end = End.STOPPED;
        private RowBatch batch = new RowBatch();
        private Position position = new Position(FORMAT, 0, Map.of());
        private boolean isIdle = true;
        private boolean isEmpty = true;
        private boolean isCurrent;
        private long batchBegunNs;
        private long confirmedMs;
        private long total;

        Session(Warehouse warehouse, Generation generation, String cluster, boolean isOnce) throws SQLException {
            this.warehouse = warehouse;
            this.isOnce = isOnce;
            this.state = new State(FORMAT, cluster, generation.number(), false, System.currentTimeMillis());
            this.objects = new ObjectReader(rulesets, warehouse.versions());
            this.follower = new Follower(
                    "the changelogs",
                    new Follower.Reading(
                            topics(generation),
                            FORMAT,
                            false,
                            Duration.ofMillis(100),
                            2_000,
                            Duration.ofSeconds(1),
                            Map.of(
                                    ConsumerConfig.CLIENT_ID_CONFIG,
                                    "laurel-sync",
                                    ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                                    200)),
                    kafka.clientProperties(),
                    this,
                    _ -> {});
        }

        @Override
        public @Nullable Position position() {
            State known = ask(warehouse::state);
            if (known == null || isReload.get()) {
                return null;
            }
            if (!known.cluster().equals(state.cluster())) {
                throw new CommandFailed("the tables are those of another Kafka cluster, " + known.cluster()
                        + "; this is " + state.cluster()
                        + ": name another database, or give --reload to empty the tables first");
            }
            if (known.generation() != state.generation()) {
                LOG.warn(
                        "The tables are emptied and loaded anew: generation {} has replaced generation {}",
                        state.generation(),
                        known.generation());
                return null;
            }
            Map<TopicPartition, Place> places = requireNonNull(ask(warehouse::positions));
            stored.putAll(places);
            return new Position(known.format(), known.confirmedMs(), places);
        }

        @Override
        public void begin(@Nullable String problem) {
            if (problem != null) {
                state = stateAt(false, System.currentTimeMillis());
                make(() -> warehouse.reset(state));
                isReload.set(false);
                stored.clear();
                objects.forget();
            } else {
                state = requireNonNull(ask(warehouse::state), "there is a position");
            }
            batch = new RowBatch();
            isEmpty = true;
            isCurrent = false;
            total = follower.lag();
            progress.begin(state.isLoaded() ? "catch up" : "load the tables", "records", total);
        }

        @Override
        public void put(ConsumerRecord<byte[], byte[]> record) {
            if (isEmpty) {
                batchBegunNs = System.nanoTime();
            }
            isIdle = false;
            isEmpty = false;
            List<RowSet> sets;
            try {
                sets = StoreRows.of(String.valueOf(StoreRows.storeOf(record.topic())), record.key(), record.value());
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

        /** Writes what has arrived, if it is due. Looks at the rules of all tenants about once a second. */
        @Override
        public void write(Position reached) {
            position = reached;
            boolean isDue = !isEmpty
                    && (isIdle
                            || batch.rows() >= MAX_ROWS
                            || System.nanoTime() - batchBegunNs >= (isCurrent ? WRITE_AFTER_NS : LOAD_AFTER_NS));
            boolean isConfirmed = isCurrent && reached.confirmedMs() != confirmedMs;
            isIdle = true;
            if (generations.inForce().number() != state.generation()) {
                end = End.BEGIN_ANEW;
                follower.stop();
            } else if (isStopped.getAsBoolean()) {
                store(false);
                follower.stop();
            } else if (isDue || isConfirmed) {
                store(isConfirmed);
            }
            if (!isCurrent) {
                progress.stepTo(total - follower.lag());
            }
            figures.show(follower.lag(), isCurrent ? confirmedMs : 0);
        }

        @Override
        public void caughtUp() {
            isCurrent = true;
            state = stateAt(true, 0);
            store(true);
            progress.end();
            make(warehouse::analyze);
            LOG.info("The tables have everything up to {}", Instant.ofEpochMilli(confirmedMs));
            figures.show(0, confirmedMs);
            if (isOnce) {
                end = End.LOADED;
                follower.stop();
            }
        }

        private State stateAt(boolean isLoaded, long confirmed) {
            return new State(FORMAT, state.cluster(), state.generation(), isLoaded, confirmed);
        }

        /** @param all whether the rules of all tenants are looked at, or of those alone that have first rows */
        private void store(boolean all) {
            confirmedMs = position.confirmedMs();
            State next = confirmedMs - state.confirmedMs() < CONFIRM_EVERY_MS
                    ? state
                    : stateAt(state.isLoaded(), confirmedMs);
            var moved = new HashMap<>(position.places());
            moved.entrySet().removeIf(place -> place.getValue().equals(stored.get(place.getKey())));
            List<Warehouse.Objects> rules = objects.changes(all);
            boolean isChanged = !next.equals(state);
            if (!isEmpty || !moved.isEmpty() || !rules.isEmpty() || isChanged) {
                RowBatch rows = batch;
                make(() -> warehouse.write(rows, new Warehouse.Progress(moved, rules, isChanged ? next : null)));
            }
            objects.written(rules);
            figures.wrote(batch.rows());
            stored.putAll(moved);
            state = next;
            batch = new RowBatch();
            isEmpty = true;
        }
    }
}
