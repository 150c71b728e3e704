package dev.laurel.processors.store.users;

import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.processors.store.users.UserResourceReader.OwnedKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.UserResourceIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** The lists of application keys of a partition's users, for the processor that owns them. One thread. */
public final class IssuedKeys {

    private final UserResourceReader.Writer index;
    private final IssuedKeyReader reader;

    public IssuedKeys(KeyValueStore<Bytes, byte[]> partitionState) {
        this.index = new UserResourceReader.Writer(partitionState);
        this.reader = new IssuedKeyReader(partitionState);
    }

    /** The keys of a user, oldest first. */
    public List<IssuedKey> of(UserKey user) {
        return reader.of(user);
    }

    public void add(UserKey user, IssuedKey key) {
        index.add(Kind.KEY, user.tenant(), entry(user, key), IssuedKeyReader.encode(key));
    }

    public void remove(UserKey user, IssuedKey key) {
        index.remove(Kind.KEY, user.tenant(), entry(user, key));
    }

    private static Entry entry(UserKey user, IssuedKey key) {
        return new Entry(0, key.createdMs(), key.id(), user.bytes());
    }

    /**
     * Reads the lists of application keys of a partition's users. The keys have the layout of other owned objects, so that {@link
     * UserResourceReader} finds the owner of an id, and lists the keys of a tenant in the order of their creation; the entry by id has the
     * key itself. Any thread.
     */
    public static final class IssuedKeyReader {

        /** The key in the entry by id, whose id is in the key of the entry. */
        record Value(long createdMs, boolean isReading, long expiresMs, long usedMs) {}

        static final Codec<Value> KEY = Codec.of("application key", 2, Value.class);

        private final ReadOnlyKeyValueStore<Bytes, byte[]> store;

        /** @param partitionState the store that contains the keys */
        IssuedKeyReader(ReadOnlyKeyValueStore<Bytes, byte[]> partitionState) {
            this.store = partitionState;
        }

        /**
         * The keys of a user, oldest first. Their ids begin alike, so only they are read, and those of the rare user with the same
         * beginning.
         */
        public List<IssuedKey> of(UserKey user) {
            byte[] owner = user.bytes();
            UUID begin = UserResourceIds.of(user, new UUID(0, 0));
            byte[] first = OwnedKeys.ownersBeginning(Kind.KEY, user.tenant(), begin);
            var keys = new ArrayList<IssuedKey>();
            for (var entry : StoreScans.next(store, first, null, StoreScans.ALL, entry -> entry)) {
                if (Arrays.equals(OwnedKeys.ownerOf(entry.key), owner)) {
                    keys.add(key(OwnedKeys.idOf(entry.key), entry.value));
                }
            }
            keys.sort(IssuedKey.BY_AGE);
            return keys;
        }

        /** A key of an entry that {@link UserResourceReader#next} lists; null if it has been removed. */
        public @Nullable IssuedKey find(TenantId tenant, Entry entry) {
            byte[] value = store.get(OwnedKeys.byId(Kind.KEY, tenant, entry.id(), entry.user()));
            return value == null ? null : key(entry.id(), value);
        }

        private static IssuedKey key(UUID id, byte[] bytes) {
            Value value = KEY.decode(bytes);
            return new IssuedKey(id, value.createdMs, value.isReading, value.expiresMs, value.usedMs);
        }

        static byte[] encode(IssuedKey key) {
            return KEY.encode(new Value(key.createdMs(), key.isReading(), key.expiresMs(), key.usedMs()));
        }
    }
}
