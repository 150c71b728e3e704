package dev.laurel.platform.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex.KeyPage;
import dev.laurel.schemas.access.AccessIndex.KeyPlace;
import dev.laurel.schemas.access.AccessIndex.KeyRange;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code laurel.access} and serves the current keys, tenants and secrets: application keys, times of use and secrets from
 * disk, the others from memory. A change is visible here a few milliseconds after it was written.
 */
public final class AccessTable extends TopicTable<String, AccessRecord> implements AccessView {

    private final AccessStore records;
    private final AccessIndex index;

    /** Creates a table in a temporary folder, for a process that reads the topic once. */
    public AccessTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this(Topics.ACCESS, clientConfig, TableFolder.openTemporary(Topics.ACCESS.name()), onFault);
    }

    /**
     * @param topic {@link Topics#ACCESS}, or the same under another name
     * @param folder closed by the caller, after this table
     */
    public AccessTable(
            Topic<String, AccessRecord> topic,
            Map<String, Object> clientConfig,
            TableFolder folder,
            Consumer<Throwable> onFault) {
        this(topic, clientConfig, folder.open(topic.name()), onFault);
    }

    private AccessTable(
            Topic<String, AccessRecord> topic,
            Map<String, Object> clientConfig,
            TableStore store,
            Consumer<Throwable> onFault) {
        super(topic, clientConfig, store, onFault);
        this.records = new AccessStore(store);
        this.index = new AccessIndex(records);
    }

    /** Reads keys and tenants once, for a command; the topic must exist. @throws CommandFailed if it cannot be read */
    public static <R> R read(KafkaAccess kafka, Function<AccessTable, R> query) {
        return read(kafka, Topics.ACCESS.name(), onFault -> new AccessTable(kafka.clientProperties(), onFault), query);
    }

    @Override
    void load() {
        records.visitHeldInMemory((key, value) -> index.put(key, read(value)));
    }

    @Override
    protected void put(String key, byte @Nullable [] value, long offset) {
        AccessRecord record = read(value);
        if (!(record instanceof LastUsed use && records.isOutdated(use))) {
            index.put(key, record);
            records.put(key, value);
        }
    }

    @Override
    void written() {
        records.forgetChanged();
    }

    @Override
    public AccessIndex index() {
        return index;
    }

    /**
     * The records of {@code laurel.access} on disk, by their keys, and indexes of the application keys. The keys and secrets that are in
     * use are cached. The thread of the table changes it, any thread reads.
     */
    static final class AccessStore implements AccessIndex.Records {

        private static final long MAX_CACHED_KEYS = 10_000;
        private static final int MAX_CACHED_SECRET_BYTES = 8 * 1024 * 1024;

        /** What a cached secret takes besides its value. */
        private static final int SECRET_BYTES = 300;

        /** Kinds of which there may be many. The others are held in memory, too. */
        private static final List<String> LARGE_KINDS = List.of("application-key/", "last-used/", "secret/");

        // First bytes of keys: records by their keys, and the application keys by prefix, by tenant, and by user.
        private static final byte RECORD = 'r';
        private static final byte BY_PREFIX = 'p';
        private static final byte BY_TENANT = 't';
        private static final byte BY_USER = 'u';

        private static final byte[] NOTHING = {};
        private static final int ID_BYTES = 16;

        private final TableStore store;
        private final Cache<String, Optional<ApplicationKey>> keys = Caffeine.newBuilder()
                .maximumSize(MAX_CACHED_KEYS)
                .executor(Runnable::run)
                .build();
        private final Cache<String, Optional<Secret>> secrets = Caffeine.newBuilder()
                .maximumWeight(MAX_CACHED_SECRET_BYTES)
                .weigher((String _, Optional<Secret> secret) -> SECRET_BYTES
                        + secret.map(found -> found.value().length()).orElse(0))
                .executor(Runnable::run)
                .build();

        // What has changed since it was last written; of the thread of the table.
        private final Set<String> changedPrefixes = new HashSet<>();
        private final Set<String> changedSecrets = new HashSet<>();

        AccessStore(TableStore store) {
            this.store = store;
        }

        /** Visits the records that are held in memory, too: small kinds, and the secrets that sign application keys. */
        void visitHeldInMemory(BiConsumer<String, byte[]> visitor) {
            byte[] signers = key(RECORD, AccessIndex.SIGNERS);
            store.visit(signers, signers, (key, value) -> {
                visitor.accept(recordKey(key), value);
                return true;
            });
            byte[] kind = {RECORD};
            for (byte[] from = kind; from != null; ) {
                from = visitUpToLargeKind(kind, from, visitor);
            }
        }

        /** Returns the key after the large kind at which the visit ended; null if it was complete. */
        private byte @Nullable [] visitUpToLargeKind(byte[] prefix, byte[] from, BiConsumer<String, byte[]> visitor) {
            var after = new byte[1][];
            store.visit(prefix, from, (key, value) -> {
                String recordKey = recordKey(key);
                for (String large : LARGE_KINDS) {
                    if (recordKey.startsWith(large)) {
                        after[0] = key(RECORD, large.substring(0, large.length() - 1) + (char) ('/' + 1));
                        return false;
                    }
                }
                visitor.accept(recordKey, value);
                return true;
            });
            return after[0];
        }

        /** Whether a later use of the key is known: several processes write them. */
        boolean isOutdated(LastUsed use) {
            return read(store.getPut(key(RECORD, use.recordKey()))) instanceof LastUsed known
                    && known.at().isAfter(use.at());
        }

        /** Stores the bytes of a record; after its indexes, which need the former record. @param value null: deleted */
        void put(String recordKey, byte @Nullable [] value) {
            store.put(key(RECORD, recordKey), value);
        }

        @Override
        public void put(String recordKey, @Nullable AccessRecord record) {
            if (recordKey.startsWith("application-key/")) {
                if (read(store.getPut(key(RECORD, recordKey))) instanceof ApplicationKey former) {
                    index(former, null, null);
                }
                if (record instanceof ApplicationKey key) {
                    index(key, idBytes(key.id()), NOTHING);
                }
            } else if (recordKey.startsWith("secret/")) {
                changedSecrets.add(recordKey);
            }
        }

        /** @param id null: deletes the entries */
        private void index(ApplicationKey key, byte @Nullable [] id, byte @Nullable [] listed) {
            changedPrefixes.add(key.prefix());
            store.put(key(BY_PREFIX, key.prefix()), id);
            KeyPlace place = KeyPlace.of(key);
            store.put(join(prefixOf(key.tenant(), null), place), listed);
            store.put(join(prefixOf(key.tenant(), key.userId().value()), place), listed);
        }

        /** Has the next reads find what has been written. */
        void forgetChanged() {
            keys.invalidateAll(changedPrefixes);
            changedPrefixes.clear();
            secrets.invalidateAll(changedSecrets);
            changedSecrets.clear();
        }

        @Override
        public @Nullable ApplicationKey applicationKey(UUID id) {
            return (ApplicationKey) read(store.get(key(RECORD, "application-key/" + id)));
        }

        @Override
        public @Nullable ApplicationKey applicationKeyOf(String prefix) {
            return keys.get(prefix, this::readKeyOf).orElse(null);
        }

        private Optional<ApplicationKey> readKeyOf(String prefix) {
            byte[] id = store.get(key(BY_PREFIX, prefix));
            return Optional.ofNullable(id == null ? null : applicationKey(id(ByteBuffer.wrap(id))));
        }

        @Override
        public KeyPage applicationKeys(TenantId tenant, KeyRange range) {
            var found = new ArrayList<ApplicationKey>();
            byte[] prefix =
                    prefixOf(tenant, range.user() == null ? null : range.user().value());
            KeyPlace after = range.after();
            byte[] from = after == null
                    ? prefix
                    : ByteBuffer.wrap(new byte[prefix.length + Long.BYTES + ID_BYTES + 1])
                            .put(join(prefix, after))
                            .array(); // the lowest key above this one
            int[] skipped = {0};
            store.visit(prefix, from, (entry, _) -> {
                if (skipped[0] < range.skip()) {
                    skipped[0]++;
                    return true;
                }
                if (found.size() < range.limit()) {
                    ApplicationKey key = applicationKey(id(ByteBuffer.wrap(entry, entry.length - ID_BYTES, ID_BYTES)));
                    if (key != null) { // not deleted meanwhile
                        found.add(key);
                    }
                }
                return found.size() < range.limit();
            });
            return new KeyPage(found, skipped[0]);
        }

        @Override
        public @Nullable Instant lastUsed(UUID keyId) {
            return read(store.get(key(RECORD, AccessRecord.lastUsedKey(keyId)))) instanceof LastUsed use
                    ? use.at()
                    : null;
        }

        @Override
        public @Nullable Secret secret(String recordKey) {
            return secrets.get(recordKey, this::readSecret).orElse(null);
        }

        private Optional<Secret> readSecret(String recordKey) {
            return Optional.ofNullable((Secret) read(store.get(key(RECORD, recordKey))));
        }

        private static @Nullable AccessRecord read(byte @Nullable [] value) {
            return value == null ? null : Topics.ACCESS.readValue(value);
        }

        // Keys.

        private static String recordKey(byte[] key) {
            return new String(key, 1, key.length - 1, UTF_8);
        }

        private static byte[] key(byte kind, String text) {
            byte[] bytes = text.getBytes(UTF_8);
            return ByteBuffer.allocate(1 + bytes.length).put(kind).put(bytes).array();
        }

        /** The beginning of the keys of a tenant's list of application keys. Lengths keep the lists of different ids apart. */
        private static byte[] prefixOf(TenantId tenant, @Nullable String user) {
            byte[] tenantId = tenant.bytes();
            byte[] userId = user == null ? NOTHING : user.getBytes(UTF_8);
            ByteBuffer prefix = ByteBuffer.allocate(1 + 2 * Short.BYTES + tenantId.length + userId.length)
                    .put(user == null ? BY_TENANT : BY_USER);
            return prefix.putShort((short) tenantId.length)
                    .put(tenantId)
                    .putShort((short) userId.length)
                    .put(userId)
                    .array();
        }

        private static byte[] join(byte[] prefix, KeyPlace place) {
            return ByteBuffer.allocate(prefix.length + Long.BYTES + ID_BYTES)
                    .put(prefix)
                    .putLong(place.createdMs())
                    .put(idBytes(place.id()))
                    .array();
        }

        private static byte[] idBytes(UUID id) {
            return ByteBuffer.allocate(ID_BYTES)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array();
        }

        private static UUID id(ByteBuffer bytes) {
            return new UUID(bytes.getLong(), bytes.getLong());
        }
    }
}
