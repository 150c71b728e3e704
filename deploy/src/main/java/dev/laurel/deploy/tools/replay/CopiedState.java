package dev.laurel.deploy.tools.replay;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.Progress;
import dev.laurel.platform.kafka.RangeReader;
import dev.laurel.processors.store.PrefixedStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardReader;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.topic.Generation;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * State of a generation, copied from its changelogs with committed changes only, not from the processes that run it. The
 * copy is on disk and does not change between two calls of {@link #follow}. Used by one thread.
 */
final class CopiedState implements ComparedState, AutoCloseable {

    /** Only the entries are read; the other stores must exist for the reader. */
    private static final List<String> BOARD_STORES =
            List.of(StoreNames.LEADERBOARD_ENTRIES, StoreNames.LEADERBOARD_RUNS, StoreNames.LEADERBOARD_DAYS);

    /**
     * What is copied of a state.
     *
     * @param name for people
     * @param ledgerStores stores of the ledger
     * @param partitions partitions of these stores; null: all
     * @param hasBoards whether the entries of all leaderboards are copied, too
     */
    record Extent(
            String name,
            List<String> ledgerStores,
            @Nullable Set<Integer> partitions,
            boolean hasBoards) {

        static final Extent COUNTERS = new Extent("counters", List.of(StoreNames.COUNTERS), null, false);
        static final Extent BOARDS = new Extent("replayed leaderboards", List.of(), null, true);

        static Extent of(Set<Integer> partitions) {
            return new Extent("the live state", UserStores.NAMES, partitions, true);
        }
    }

    private final BooleanSupplier isStopped;
    private final Extent extent;
    private final RulesetVersions rulesets;
    private final LeaderboardLayout boards;
    private final StoreCopy copy;
    private final RangeReader reader;
    private final Map<String, String> storesByTopic = new HashMap<>();
    private final List<TopicPartition> changelogs = new ArrayList<>();

    /**
     * @param rulesets rules of the generation
     * @param folder folder for the copy; must not exist
     * @param isStopped ends reading with an exception
     */
    CopiedState(
            Map<String, Object> clientConfig,
            Generation generation,
            Extent extent,
            RulesetVersions rulesets,
            LeaderboardLayout boards,
            Path folder,
            BooleanSupplier isStopped) {
        this.extent = extent;
        this.isStopped = isStopped;
        this.rulesets = rulesets;
        this.boards = boards;
        this.copy = new StoreCopy(
                folder,
                Stream.concat(UserStores.NAMES.stream(), BOARD_STORES.stream()).toList());
        this.reader = new RangeReader(clientConfig, Map.of());
        extent.ledgerStores().forEach(store -> add(generation.ledgerApplication(), store, extent.partitions()));
        if (extent.hasBoards()) {
            add(generation.boardsApplication(), StoreNames.LEADERBOARD_ENTRIES, null);
        }
        reader.seek(reader.client().beginningOffsets(changelogs, ReplayPlan.TIMEOUT), Map.of());
    }

    private void add(String application, String store, @Nullable Set<Integer> wanted) {
        String topic = Generation.changelog(application, store);
        List<TopicPartition> partitions = reader.partitionsOf(topic);
        if (partitions.isEmpty()) {
            throw new CommandFailed("there is no state to compare with: Kafka has no topic " + topic
                    + "; check that Laurel has run with this Kafka");
        }
        storesByTopic.put(topic, store);
        partitions.stream()
                .filter(partition -> wanted == null || wanted.contains(partition.partition()))
                .forEach(changelogs::add);
    }

    /**
     * Copies all changes that are committed by now.
     *
     * @param progress receives the number of records
     */
    void follow(Progress progress) {
        reader.extend(reader.client().endOffsets(changelogs, ReplayPlan.TIMEOUT));
        long total = reader.left();
        progress.begin("copy " + extent.name(), "records", total);
        try {
            reader.read(
                    ReplayPlan.TIMEOUT,
                    record -> {
                        copy.put(
                                requireNonNull(storesByTopic.get(record.topic()), "assigned"),
                                record.partition(),
                                record.key(),
                                record.value());
                        return true;
                    },
                    () -> {
                        if (isStopped.getAsBoolean()) {
                            throw new ReplayPlan.Stopped();
                        }
                        progress.stepTo(total - reader.left());
                    });
        } catch (TimeoutException e) {
            throw new CommandFailed(
                    "Kafka returns no records of the changelogs of " + extent.name() + " for "
                            + ReplayPlan.TIMEOUT.toSeconds() + " s; a transaction may be open: see 'laurel doctor'",
                    e);
        }
        progress.end();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return copy.store(name, partition);
    }

    /** Returns the average number of changes, since a copy does not count its entries. */
    @Override
    public long count(String name, int partition) {
        return changelogs.isEmpty()
                ? 0
                : changelogs.stream().mapToLong(reader::position).sum() / changelogs.size();
    }

    @Override
    public Ranking ranking(LeaderboardRules rules, LeaderboardGroup group) {
        int partition = boards.partitionOf(group, rules);
        return new LeaderboardReader(name -> copy.store(name, partition)).ranking(group);
    }

    @Override
    public RulesetVersions rulesets() {
        return rulesets;
    }

    @Override
    public void close() {
        reader.close();
        copy.close();
    }

    /**
     * Copies of many stores and partitions in one RocksDB in its own folder. They need as much disk as the originals and
     * a bounded amount of memory, and need not survive a crash. Keys are prefixed with the number of the store and the
     * partition, so each store is contiguous and keeps its order. Used by one thread at a time.
     */
    static final class StoreCopy implements AutoCloseable {

        private static final long CACHE_BYTES = 64L * 1024 * 1024;
        private static final long WRITE_BUFFER_BYTES = 16L * 1024 * 1024;
        private static final int PREFIX = 1 + 4;

        static {
            RocksDB.loadLibrary();
        }

        private final List<String> names;
        private final LRUCache cache = new LRUCache(CACHE_BYTES);
        private final BloomFilter filter = new BloomFilter(10, false);
        private final Options options;
        private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
        private final RocksDB db;

        /** @param names names of the stores, at most 127 */
        StoreCopy(Path folder, List<String> names) {
            this.names = List.copyOf(names);
            var table = new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setFilterPolicy(filter)
                    .setCacheIndexAndFilterBlocks(true);
            this.options = new Options()
                    .setCreateIfMissing(true)
                    .setErrorIfExists(true)
                    .setTableFormatConfig(table)
                    .setWriteBufferSize(WRITE_BUFFER_BYTES)
                    .setCompressionType(CompressionType.LZ4_COMPRESSION);
            try {
                this.db = RocksDB.open(options, folder.toString());
            } catch (RocksDBException e) {
                throw failed(e);
            }
        }

        /** @param value null: delete the entry */
        void put(String store, int partition, byte[] key, byte @Nullable [] value) {
            byte[] prefixed = PrefixedStore.join(prefix(store, partition), key);
            try {
                if (value == null) {
                    db.delete(unlogged, prefixed);
                } else {
                    db.put(unlogged, prefixed, value);
                }
            } catch (RocksDBException e) {
                throw failed(e);
            }
        }

        ReadOnlyKeyValueStore<Bytes, byte[]> store(String store, int partition) {
            return new PrefixedStore(db, prefix(store, partition), null, StoreCopy::failed);
        }

        private byte[] prefix(String store, int partition) {
            int number = names.indexOf(store);
            if (number < 0) {
                throw new IllegalArgumentException("the store " + store + " is not copied");
            }
            return ByteBuffer.allocate(PREFIX)
                    .put((byte) number)
                    .putInt(partition)
                    .array();
        }

        private static IllegalStateException failed(RocksDBException e) {
            return new IllegalStateException("cannot keep a copy of the live state: " + e.getMessage(), e);
        }

        @Override
        public void close() {
            db.close();
            unlogged.close();
            options.close();
            filter.close();
            cache.close();
        }
    }
}
