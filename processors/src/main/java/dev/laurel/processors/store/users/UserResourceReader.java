package dev.laurel.processors.store.users;

import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

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

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;

    /** @param partitionState the store that contains the index */
    UserResourceReader(ReadOnlyKeyValueStore<Bytes, byte[]> partitionState) {
        this.store = partitionState;
    }

    /** The key of the user who owns the object; null if nobody does. */
    public byte @Nullable [] ownerOf(Kind kind, TenantId tenant, UUID id) {
        Bytes key = StoreScans.firstKey(store, OwnedKeys.firstOwner(kind, tenant, id),
                OwnedKeys.afterOwners(kind, tenant, id));
        return key == null ? null : OwnedKeys.ownerOf(key, tenant);
    }

    /** The time at which the object was created; null if the user has no such object. */
    public @Nullable Long createdMs(Kind kind, TenantId tenant, UUID id, byte[] user) {
        return UserCodecs.COUNT.decodeIfPresent(store.get(OwnedKeys.byId(kind, tenant, id, user)));
    }

    /** The next objects of a group, oldest first, at most {@code limit}. @param after null: from the first */
    public List<Entry> next(Kind kind, TenantId tenant, int group, @Nullable Entry after, int limit) {
        Bytes from = after == null
                ? OwnedKeys.firstOfGroup(kind, tenant, group)
                : StoreKeys.after(OwnedKeys.byTime(kind, tenant, after));
        return StoreScans.read(store, from, OwnedKeys.afterGroup(kind, tenant, group), limit,
                entry -> OwnedKeys.entry(entry.key, tenant));
    }

    /**
     * The layout of the index's keys: durable data. A key has a letter for the order, a letter for the kind, the length of the
     * tenant and the tenant; then id and user in the order of ids, or group, time, id and user in the order of creation.
     */
    static final class OwnedKeys {

        private static final char BY_ID = 'i';
        private static final char BY_TIME = 'l';

        private OwnedKeys() {}

        private static KeyWriter start(char order, Kind kind, TenantId tenant) {
            return KeyWriter.ofKind(order).letter(kind.letter).tenant(tenant);
        }

        static Bytes byId(Kind kind, TenantId tenant, UUID id, byte[] user) {
            return start(BY_ID, kind, tenant).id(id).bytes(user).toKey();
        }

        /** Before all owners of ids whose first 32 bits are those of this one; their keys begin so. */
        static Bytes firstOwnerBeginning(Kind kind, TenantId tenant, UUID id) {
            return start(BY_ID, kind, tenant).number((int) (id.getMostSignificantBits() >>> 32)).toKey();
        }

        /** The id in a key of {@link #byId}. */
        static UUID idOf(Bytes key, TenantId tenant) {
            return StoreKeys.readId(ByteBuffer.wrap(key.get()).position(4 + tenant.value().getBytes(UTF_8).length));
        }

        /** The owners of this id lie in [this, {@link #afterOwners}); neither is a key itself. */
        static Bytes firstOwner(Kind kind, TenantId tenant, UUID id) {
            return start(BY_ID, kind, tenant).id(id).toKey();
        }

        static Bytes afterOwners(Kind kind, TenantId tenant, UUID id) {
            return StoreKeys.afterAllWith(firstOwner(kind, tenant, id).get());
        }

        /** The user at the end of a key of {@link #byId}. */
        static byte[] ownerOf(Bytes key, TenantId tenant) {
            byte[] bytes = key.get();
            return Arrays.copyOfRange(bytes, 4 + tenant.value().getBytes(UTF_8).length + StoreKeys.ID_BYTES,
                    bytes.length);
        }

        static Bytes byTime(Kind kind, TenantId tenant, Entry entry) {
            return start(BY_TIME, kind, tenant).ordered(entry.group()).ordered(entry.createdMs()).id(entry.id())
                    .bytes(entry.user()).toKey();
        }

        /** A group's entries lie in [this, {@link #afterGroup}); neither is a key itself. */
        static Bytes firstOfGroup(Kind kind, TenantId tenant, int group) {
            return start(BY_TIME, kind, tenant).ordered(group).toKey();
        }

        static Bytes afterGroup(Kind kind, TenantId tenant, int group) {
            return StoreKeys.afterAllWith(firstOfGroup(kind, tenant, group).get());
        }

        /** Reads a key of {@link #byTime} back. */
        static Entry entry(Bytes key, TenantId tenant) {
            var bytes = ByteBuffer.wrap(key.get()).position(4 + tenant.value().getBytes(UTF_8).length);
            int group = StoreKeys.ordered(bytes.getInt());
            long createdMs = StoreKeys.ordered(bytes.getLong());
            UUID id = StoreKeys.readId(bytes);
            var user = new byte[bytes.remaining()];
            bytes.get(user);
            return new Entry(group, createdMs, id, user);
        }
    }
}
