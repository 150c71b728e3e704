package dev.laurel.processors.store.users;

import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.KeyReader;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Finds the owners of pauses and boosts of a partition's users by id, and lists these objects in the order of their creation. Two
 * users may own objects of the same id, since producers choose ids: both are listed, and the user with the lower key is found.
 */
public final class UserResourceReader {

    /** The letter is durable data. */
    public enum Kind {
        PAUSE('p'),
        BOOST('b'),
        /** An application key; {@link IssuedKeys.IssuedKeyReader} reads these. */
        KEY('k');

        final byte letter;

        Kind(char letter) {
            this.letter = (byte) letter;
        }
    }

    /**
     * An object of one user.
     *
     * @param group 0 for a pause; the number of the points system for a boost
     * @param createdMs time of the command that created it
     * @param user the user key's bytes
     */
    public record Entry(int group, long createdMs, UUID id, byte[] user) {}

    private static final byte[] NOBODY = {};
    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;

    /** @param partitionState the store that contains the index */
    UserResourceReader(ReadOnlyKeyValueStore<Bytes, byte[]> partitionState) {
        this.store = partitionState;
    }

    /** The key of the user who owns the object; null if nobody does. */
    public byte @Nullable [] ownerOf(Kind kind, TenantId tenant, UUID id) {
        Bytes key = StoreScans.firstKey(
                store, OwnedKeys.byId(kind, tenant, id, NOBODY).get());
        return key == null ? null : OwnedKeys.ownerOf(key);
    }

    /** The time at which the object was created; null if the user has no such object. */
    public @Nullable Long createdMs(Kind kind, TenantId tenant, UUID id, byte[] user) {
        return UserCodecs.COUNT.get(store, OwnedKeys.byId(kind, tenant, id, user));
    }

    /** The next objects of a group, oldest first, at most {@code limit}. @param after null: from the first */
    public List<Entry> next(Kind kind, TenantId tenant, int group, @Nullable Entry after, int limit) {
        return StoreScans.next(
                store,
                OwnedKeys.ofGroup(kind, tenant, group).toBytes(),
                after == null ? null : OwnedKeys.byTime(kind, tenant, after),
                limit,
                entry -> OwnedKeys.entry(entry.key));
    }

    /**
     * The layout of the index's keys: durable data. A key has a letter for the order, a letter for the kind, the length of the
     * tenant and the tenant; then id and user in the order of ids, or group, time, id and user in the order of creation.
     */
    static final class OwnedKeys {

        private static final char BY_ID = 'i';
        private static final char BY_TIME = 'l';
        /** Behind the letters of the order and the kind. */
        private static final int TENANT_AT = 2;

        private OwnedKeys() {}

        private static KeyWriter start(char order, Kind kind, TenantId tenant) {
            return KeyWriter.ofKind(order).letter(kind.letter).tenant(tenant);
        }

        static Bytes byId(Kind kind, TenantId tenant, UUID id, byte[] user) {
            return start(BY_ID, kind, tenant).id(id).bytes(user).toKey();
        }

        /** Begins the keys of all owners of ids whose first 32 bits are those of this one. */
        static byte[] ownersBeginning(Kind kind, TenantId tenant, UUID id) {
            return start(BY_ID, kind, tenant)
                    .number((int) (id.getMostSignificantBits() >>> 32))
                    .toBytes();
        }

        private static KeyReader read(Bytes key) {
            return KeyReader.behindTenant(key, TENANT_AT);
        }

        /** The id in a key of {@link #byId}. */
        static UUID idOf(Bytes key) {
            return read(key).id();
        }

        /** The user at the end of a key of {@link #byId}. */
        static byte[] ownerOf(Bytes key) {
            return read(key).skip(StoreKeys.ID_BYTES).rest();
        }

        static Bytes byTime(Kind kind, TenantId tenant, Entry entry) {
            return ofGroup(kind, tenant, entry.group())
                    .ordered(entry.createdMs())
                    .id(entry.id())
                    .bytes(entry.user())
                    .toKey();
        }

        static KeyWriter ofGroup(Kind kind, TenantId tenant, int group) {
            return start(BY_TIME, kind, tenant).ordered(group);
        }

        /** Reads a key of {@link #byTime} back. */
        static Entry entry(Bytes key) {
            KeyReader in = read(key);
            return new Entry(in.orderedInt(), in.orderedLong(), in.id(), in.rest());
        }
    }

    /**
     * Maintains the index that {@link UserResourceReader} reads. It derives the index from the states of users before and after each
     * change, so that the index follows from the log as the states do. One thread.
     */
    public static final class Writer {

        private final KeyValueStore<Bytes, byte[]> store;
        private final UserResourceReader reader;

        /** @param partitionState the store that contains the index */
        public Writer(KeyValueStore<Bytes, byte[]> partitionState) {
            this.store = partitionState;
            this.reader = new UserResourceReader(partitionState);
        }

        /** Works like {@link UserResourceReader#ownerOf}. */
        public byte @Nullable [] ownerOf(Kind kind, TenantId tenant, UUID id) {
            return reader.ownerOf(kind, tenant, id);
        }

        /**
         * Updates the index. Most commands leave the list objects as they are, and cost nothing here.
         *
         * @param before null for a new user
         * @param after null for an erased user
         * @param atMs time of the command
         */
        public void follow(
                TenantId tenant, byte[] user, @Nullable UserState before, @Nullable UserState after, long atMs) {
            List<Pause> hadPauses = before == null ? List.of() : before.streak().pauses();
            List<Pause> hasPauses = after == null ? List.of() : after.streak().pauses();
            if (hadPauses != hasPauses) {
                follow(Kind.PAUSE, tenant, hadPauses, hasPauses, pause -> new Entry(0, atMs, pause.id(), user));
            }
            List<UserBoost> hadBoosts = before == null ? List.of() : before.boosts();
            List<UserBoost> hasBoosts = after == null ? List.of() : after.boosts();
            if (hadBoosts != hasBoosts) {
                follow(
                        Kind.BOOST,
                        tenant,
                        hadBoosts,
                        hasBoosts,
                        boost -> new Entry(boost.system(), boost.createdMs(), boost.id(), user));
            }
        }

        private <T> void follow(Kind kind, TenantId tenant, List<T> had, List<T> has, Function<T, Entry> entryOf) {
            List<Entry> former = had.stream().map(entryOf).toList();
            List<Entry> present = has.stream().map(entryOf).toList();
            former.stream()
                    .filter(entry -> isMissing(entry, present))
                    .forEach(entry -> removeKnown(kind, tenant, entry));
            present.stream().filter(entry -> isMissing(entry, former)).forEach(entry -> add(kind, tenant, entry));
        }

        private static boolean isMissing(Entry entry, List<Entry> others) {
            return others.stream().noneMatch(other -> other.id().equals(entry.id()));
        }

        private void add(Kind kind, TenantId tenant, Entry entry) {
            add(kind, tenant, entry, UserCodecs.COUNT.encode(entry.createdMs()));
        }

        /** @param value of the entry by id */
        void add(Kind kind, TenantId tenant, Entry entry, byte[] value) {
            store.put(OwnedKeys.byId(kind, tenant, entry.id(), entry.user()), value);
            store.put(OwnedKeys.byTime(kind, tenant, entry), StoreKeys.PRESENT);
        }

        /** Removes an object. The index has its creation time, which a pause does not contain. */
        private void removeKnown(Kind kind, TenantId tenant, Entry entry) {
            Long createdMs = reader.createdMs(kind, tenant, entry.id(), entry.user());
            if (createdMs != null) {
                remove(kind, tenant, new Entry(entry.group(), createdMs, entry.id(), entry.user()));
            }
        }

        void remove(Kind kind, TenantId tenant, Entry entry) {
            store.delete(OwnedKeys.byId(kind, tenant, entry.id(), entry.user()));
            store.delete(OwnedKeys.byTime(kind, tenant, entry));
        }
    }
}
