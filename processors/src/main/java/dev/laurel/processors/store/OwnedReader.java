package dev.laurel.processors.store;

import dev.laurel.schemas.key.TenantId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Finds the owners of pauses and boosts of a partition's users by id, and lists them in the order of their creation. Two
 * users may own objects of the same id, since producers choose ids: both are listed, and the one with the lower key is found.
 */
public final class OwnedReader {

    /** The letter is durable data. */
    public enum Kind {
        PAUSE('p'), BOOST('b');

        final byte letter;

        Kind(char letter) {
            this.letter = (byte) letter;
        }
    }

    /**
     * An object of one user.
     *
     * @param group 0 of a pause, the points system's number of a boost
     * @param createdMs time of the command that made it
     * @param user the user key's bytes
     */
    public record Entry(int group, long createdMs, UUID id, byte[] user) {}

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;

    /** @param partitionState the store in which it lies */
    OwnedReader(ReadOnlyKeyValueStore<Bytes, byte[]> partitionState) {
        this.store = partitionState;
    }

    /** The key of the user who owns the object, null if there is none. */
    public byte[] ownerOf(Kind kind, TenantId tenant, UUID id) {
        try (KeyValueIterator<Bytes, byte[]> owners = store.range(OwnedKeys.firstOwner(kind, tenant, id),
                OwnedKeys.afterOwners(kind, tenant, id))) {
            return owners.hasNext() ? OwnedKeys.ownerOf(owners.next().key, tenant) : null;
        }
    }

    /** When the object was created, null if the user has none of that id. */
    public Long createdMs(Kind kind, TenantId tenant, UUID id, byte[] user) {
        return HistoryCodecs.COUNT.decode(store.get(OwnedKeys.byId(kind, tenant, id, user)));
    }

    /** The next objects of a group, oldest first, at most {@code limit}. @param after null to begin with the first one */
    public List<Entry> next(Kind kind, TenantId tenant, int group, Entry after, int limit) {
        Bytes from = after == null
                ? OwnedKeys.firstOfGroup(kind, tenant, group)
                : StoreKeys.after(OwnedKeys.byTime(kind, tenant, after));
        var found = new ArrayList<Entry>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(from, OwnedKeys.afterGroup(kind, tenant, group))) {
            while (found.size() < limit && entries.hasNext()) {
                found.add(OwnedKeys.entry(entries.next().key, tenant));
            }
        }
        return found;
    }

    /**
     * The layout of the keys in the store of the partition, which is durable data: a letter for the order, one for the kind,
     * the length of the tenant, the tenant; then, in the order of ids: id, user; in the order of creation: group, time, id,
     * user.
     */
    static final class OwnedKeys {

        private static final byte BY_ID = 'i';
        private static final byte BY_TIME = 'l';
        private static final int ID_BYTES = 16;

        private OwnedKeys() {}

        private static ByteBuffer start(byte order, Kind kind, TenantId tenant, int moreBytes) {
            byte[] name = tenant.value().getBytes(UTF_8);
            return ByteBuffer.allocate(4 + name.length + moreBytes).put(order).put(kind.letter)
                    .putShort((short) name.length).put(name);
        }

        static Bytes byId(Kind kind, TenantId tenant, UUID id, byte[] user) {
            return Bytes.wrap(put(start(BY_ID, kind, tenant, ID_BYTES + user.length), id).put(user).array());
        }

        private static ByteBuffer put(ByteBuffer key, UUID id) {
            return key.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        }

        /** The owners of this id lie in [this, {@link #afterOwners}); neither is a key itself. */
        static Bytes firstOwner(Kind kind, TenantId tenant, UUID id) {
            return byId(kind, tenant, id, new byte[0]);
        }

        static Bytes afterOwners(Kind kind, TenantId tenant, UUID id) {
            return StoreKeys.afterAllWith(firstOwner(kind, tenant, id).get());
        }

        /** The user at the end of a key of {@link #byId}. */
        static byte[] ownerOf(Bytes key, TenantId tenant) {
            byte[] bytes = key.get();
            return Arrays.copyOfRange(bytes, 4 + tenant.value().getBytes(UTF_8).length + ID_BYTES, bytes.length);
        }

        static Bytes byTime(Kind kind, TenantId tenant, Entry entry) {
            var key = start(BY_TIME, kind, tenant, 4 + 8 + ID_BYTES + entry.user().length)
                    .putInt(StoreKeys.ordered(entry.group())).putLong(entry.createdMs() ^ Long.MIN_VALUE);
            return Bytes.wrap(put(key, entry.id()).put(entry.user()).array());
        }

        /** A group's entries lie in [this, {@link #afterGroup}); neither is a key itself. */
        static Bytes firstOfGroup(Kind kind, TenantId tenant, int group) {
            return Bytes.wrap(start(BY_TIME, kind, tenant, 4).putInt(StoreKeys.ordered(group)).array());
        }

        static Bytes afterGroup(Kind kind, TenantId tenant, int group) {
            return StoreKeys.afterAllWith(firstOfGroup(kind, tenant, group).get());
        }

        /** Reads a key of {@link #byTime} back. */
        static Entry entry(Bytes key, TenantId tenant) {
            var bytes = ByteBuffer.wrap(key.get()).position(4 + tenant.value().getBytes(UTF_8).length);
            int group = StoreKeys.ordered(bytes.getInt());
            long createdMs = bytes.getLong() ^ Long.MIN_VALUE;
            var id = new UUID(bytes.getLong(), bytes.getLong());
            var user = new byte[bytes.remaining()];
            bytes.get(user);
            return new Entry(group, createdMs, id, user);
        }
    }
}
