package dev.laurel.processors.store.users;

import dev.laurel.processors.store.KeyReader;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;


/**
 * Finds the owners of pauses and boosts of a partition's users by id, and lists these objects in the order of their creation. Two
 * users may own objects of the same id, since producers choose ids: both are listed, and the user with the lower key is found.
 */
public final class UserResourceReader {

    /** The letter is durable data. */
    public enum Kind {
        PAUSE('p'), BOOST('b'),
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
        Bytes key = StoreScans.firstKey(store, OwnedKeys.byId(kind, tenant, id, NOBODY).get());
        return key == null ? null : OwnedKeys.ownerOf(key);
    }

    /** The time at which the object was created; null if the user has no such object. */
    public @Nullable Long createdMs(Kind kind, TenantId tenant, UUID id, byte[] user) {
        return UserCodecs.COUNT.decodeIfPresent(store.get(OwnedKeys.byId(kind, tenant, id, user)));
    }

    /** The next objects of a group, oldest first, at most {@code limit}. @param after null: from the first */
    public List<Entry> next(Kind kind, TenantId tenant, int group, @Nullable Entry after, int limit) {
        return StoreScans.next(store, OwnedKeys.ofGroup(kind, tenant, group).toBytes(),
                after == null ? null : OwnedKeys.byTime(kind, tenant, after), limit, entry -> OwnedKeys.entry(entry.key));
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
            return start(BY_ID, kind, tenant).number((int) (id.getMostSignificantBits() >>> 32)).toBytes();
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
            return ofGroup(kind, tenant, entry.group()).ordered(entry.createdMs()).id(entry.id()).bytes(entry.user())
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
}
