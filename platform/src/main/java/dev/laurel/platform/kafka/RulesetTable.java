package dev.laurel.platform.kafka;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.platform.kafka.FormerVersions.Place;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Rulesets.UnknownVersionException;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code laurel.rulesets} and serves all versions of all rulesets. On disk are the newest version of each tenant and the offsets
 * of the others, which are read from the topic when something needs them. Those that were used last are cached as parsed documents.
 */
public final class RulesetTable extends TopicTable<RulesetKey, Ruleset> implements Rulesets {

    /** By the size of the documents as JSON; parsed ones take more. Of the newest versions, and as much of earlier ones. */
    private static final long MAX_CACHED_BYTES = 32 * 1024 * 1024;

    /** What a cached document takes however short it is. */
    private static final int ENTRY_BYTES = 500;

    /** First byte of keys: a newest version's stored form, or the offset of another. The offset has 8 bytes, any other form more. */
    private static final byte DOCUMENT = 'd';

    /** First byte of keys: the number and the offset of the newest version of a tenant. */
    private static final byte NEWEST = 'n';

    private final TableStore store;
    private final String topic;
    private final Records records;
    private final AtomicLong reads = new AtomicLong();
    private final Cache<TenantId, Parsed> newest = cache();
    private final Cache<RulesetKey, Parsed> earlier = cache();

    /** The tenants with new versions since they were last written; of the thread of the table. */
    private final Set<TenantId> changed = new HashSet<>();

    private volatile boolean haveTenants;

    private record Parsed(Ruleset ruleset, int bytes) {}

    /** The records of the topics of rulesets. */
    interface Records extends AutoCloseable {

        /**
         * @param key that the record must have
         * @throws IllegalStateException if the topic has no such record there, or does not answer
         */
        byte[] read(String topic, RulesetKey key, long offset);

        @Override
        default void close() {}
    }

    /** Creates a table in a temporary folder, for a process that reads the topic once. */
    public RulesetTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this(
                Topics.RULESETS,
                clientConfig,
                TableFolder.openTemporary(Topics.RULESETS.name()),
                new VersionReader(clientConfig),
                onFault);
    }

    /**
     * @param topic {@link Topics#RULESETS}, or the same under another name
     * @param folder closed by the caller, after this table
     */
    public RulesetTable(
            Topic<RulesetKey, Ruleset> topic,
            Map<String, Object> clientConfig,
            TableFolder folder,
            Consumer<Throwable> onFault) {
        this(topic, clientConfig, folder.open(topic.name()), new VersionReader(clientConfig), onFault);
    }

    /** @param store closed with this table */
    RulesetTable(
            Topic<RulesetKey, Ruleset> topic,
            Map<String, Object> clientConfig,
            TableStore store,
            Records records,
            Consumer<Throwable> onFault) {
        super(topic, clientConfig, store, onFault);
        this.store = store;
        this.topic = topic.name();
        this.records = records;
    }

    private static <K> Cache<K, Parsed> cache() {
        return Caffeine.newBuilder()
                .maximumWeight(MAX_CACHED_BYTES)
                .weigher((K _, Parsed parsed) -> ENTRY_BYTES + parsed.bytes)
                .executor(Runnable::run)
                .build();
    }

    @Override
    protected void put(RulesetKey key, byte @Nullable [] stored, long offset) {
        byte[] newestKey = key(NEWEST, key.tenant().bytes());
        byte[] known = store.getPut(newestKey);
        long version = number(known, 0);
        if (stored == null) {
            if (key.version() == version) {
                throw new IllegalStateException(
                        "ruleset " + key + " was deleted from the topic, but it is the newest one");
            }
            store.put(documentKey(key), null);
        } else if (key.version() == FormerVersions.INDEX) {
            store.put(documentKey(key), stored);
        } else if (key.version() < version) {
            store.put(documentKey(key), bytes(offset));
        } else {
            if (known != null) {
                store.put(documentKey(new RulesetKey(key.tenant(), version)), bytes(number(known, Long.BYTES)));
            }
            store.put(documentKey(key), stored);
            store.put(newestKey, bytes(key.version(), offset));
            changed.add(key.tenant());
        }
    }

    private static byte[] bytes(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    /** Returns 0 if there is none. */
    private static long number(byte @Nullable [] bytes, int at) {
        return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong(at);
    }

    /** The newest versions on disk tell. */
    @Override
    void load() {
        byte[] first = key(NEWEST, new byte[0]);
        store.visit(first, first, (key, _) -> {
            haveTenants = key.length > first.length;
            return !haveTenants;
        });
    }

    @Override
    void written() {
        haveTenants = haveTenants || changed.stream().anyMatch(tenant -> !tenant.equals(TenantId.NONE));
        newest.invalidateAll(changed);
        changed.clear();
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        return newest.get(tenant, this::readNewest).ruleset;
    }

    @Override
    public long newestVersion(TenantId tenant) {
        Parsed known = newest.getIfPresent(tenant);
        return known != null ? known.ruleset.version() : number(store.get(key(NEWEST, tenant.bytes())), 0);
    }

    private Parsed readNewest(TenantId tenant) {
        long version = number(store.get(key(NEWEST, tenant.bytes())), 0);
        Parsed found = version == 0 ? null : parsed(new RulesetKey(tenant, version));
        return found == null ? new Parsed(Ruleset.empty(tenant), 0) : found;
    }

    private @Nullable Parsed parsed(RulesetKey key) {
        byte[] document = document(key);
        return document == null ? null : new Parsed(Objects.requireNonNull(read(document)), document.length);
    }

    @Override
    public boolean haveTenants() {
        return haveTenants;
    }

    @Override
    public @Nullable Ruleset version(TenantId tenant, long version) {
        if (version == 0) {
            return Ruleset.empty(tenant);
        }
        Ruleset known = version == newestVersion(tenant) ? newest(tenant) : null;
        if (known != null && known.version() == version) { // otherwise there is a newer one by now
            return known;
        }
        var key = new RulesetKey(tenant, version);
        Parsed found = earlier.getIfPresent(key);
        if (found == null) {
            found = parsed(key);
            if (found == null) {
                return null;
            }
            earlier.put(key, found);
        }
        return found.ruleset;
    }

    @Override
    public @Nullable Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException {
        Ruleset known = version(tenant, version);
        if (known != null) {
            return known;
        }
        if (!awaitNewest(timeout)) {
            throw new UnknownVersionException(version, timeout);
        }
        return version(tenant, version);
    }

    /** The number of reads of earlier versions so far. */
    public long reads() {
        return reads.get();
    }

    /** Null if there is no such version. */
    private byte @Nullable [] document(RulesetKey key) {
        byte[] stored = store.get(documentKey(key));
        if (stored == null) {
            stored = archived(key);
        } else if (stored.length == Long.BYTES) {
            stored = read(topic, key, number(stored, 0));
        }
        if (stored == null || !FormerVersions.isDifference(stored)) {
            return stored;
        }
        long snapshot = FormerVersions.snapshotOf(stored);
        byte[] document = snapshot == FormerVersions.INDEX
                ? new byte[0]
                : snapshot < key.version() ? document(new RulesetKey(key.tenant(), snapshot)) : null;
        return FormerVersions.restore(
                stored,
                Objects.requireNonNull(
                        document,
                        () -> "ruleset " + key + " is a difference to version " + snapshot + ", which is not there"));
    }

    private byte @Nullable [] archived(RulesetKey key) {
        byte[] index = store.get(documentKey(new RulesetKey(key.tenant(), FormerVersions.INDEX)));
        Place place = index == null ? null : FormerVersions.find(index, key.version());
        return place == null
                ? null
                : FormerVersions.find(
                        key.version(),
                        read(
                                Topics.RULESET_ARCHIVE.name(),
                                new RulesetKey(key.tenant(), place.first()),
                                place.offset()));
    }

    private byte[] read(String from, RulesetKey key, long offset) {
        reads.incrementAndGet();
        return records.read(from, key, offset);
    }

    private static byte[] documentKey(RulesetKey key) {
        return key(DOCUMENT, Topics.RULESETS.keyBytes(key));
    }

    private static byte[] key(byte kind, byte[] rest) {
        return ByteBuffer.allocate(2 + rest.length)
                .put(kind)
                .put((byte) 0)
                .put(rest)
                .array();
    }

    @Override
    public void close() {
        records.close();
        super.close();
    }

    /** Reads single records with versions of rulesets from Kafka, with a consumer that is created for the first one. Thread-safe. */
    private static final class VersionReader implements Records {

        private static final Duration TIMEOUT = Duration.ofSeconds(15);

        /**
         * The offset was committed, and so was the record, whose partition may still wait for the end of a transaction. Nothing but the
         * record is fetched: a broker returns the first one however long it is.
         */
        private static final Map<String, Object> OWN = Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_uncommitted",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                1,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                1);

        private final Map<String, Object> clientConfig;
        private volatile @Nullable RangeReader reader;
        private volatile boolean isClosed;

        VersionReader(Map<String, Object> clientConfig) {
            this.clientConfig = clientConfig;
        }

        @Override
        public synchronized byte[] read(String topic, RulesetKey key, long offset) {
            if (isClosed) {
                throw new IllegalStateException("the table of rulesets is closed");
            }
            RangeReader opened = reader;
            if (opened == null) {
                opened = new RangeReader(clientConfig, OWN);
                reader = opened;
            }
            var found = new ArrayList<byte[]>(1);
            try {
                opened.seek(new TopicPartition(topic, 0), offset, offset + 1);
                opened.read(TIMEOUT, record -> found.add(valueOf(record, key, offset)), () -> {});
            } catch (TimeoutException _) {
                throw new UnknownVersionException(key.version(), TIMEOUT);
            } catch (InvalidOffsetException e) {
                throw new IllegalStateException(missing(topic, key, offset), e);
            } finally {
                opened.client().assign(List.of()); // drops what was fetched
            }
            if (found.isEmpty()) {
                throw new IllegalStateException(missing(topic, key, offset));
            }
            return found.getFirst();
        }

        private static byte[] valueOf(ConsumerRecord<byte[], byte[]> record, RulesetKey key, long offset) {
            if (record.key() == null
                    || record.value() == null
                    || !Topics.RULESETS.readKey(record.key()).equals(key)) {
                throw new IllegalStateException(missing(record.topic(), key, offset));
            }
            return record.value();
        }

        private static String missing(String topic, RulesetKey key, long offset) {
            return topic + " does not have at offset " + offset + " the ruleset of tenant '" + key.tenant()
                    + "' of version "
                    + key.version() + ": its records were deleted, or it was restored without their offsets";
        }

        @Override
        public void close() {
            isClosed = true;
            RangeReader opened = reader;
            if (opened != null) {
                opened.wakeup(); // ends a read in progress
                synchronized (this) {
                    opened.close();
                }
            }
        }
    }
}
