package dev.laurel.processors.store;

import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.schemas.key.TenantId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The layout of keys of what users own, in the store of the partition: durable data. A letter for the order, one for the kind,
 * the tenant with its length before it; then, in the order of ids: id, user; in the order of creation: group, time, id, user.
 */
final class OwnedKeys {

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
