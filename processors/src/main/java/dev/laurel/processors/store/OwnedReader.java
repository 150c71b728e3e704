package dev.laurel.processors.store;

import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Whose the pauses and boosts of a partition's users are: by id, and in the order of their creation. Two users may have things
 * of one id, since producers choose ids: each is listed, and the one with the lower key is found.
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
     * One thing of one user.
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

    /** The key of the user who has this thing; null if nobody has. */
    public byte[] ownerOf(Kind kind, TenantId tenant, UUID id) {
        try (KeyValueIterator<Bytes, byte[]> owners = store.range(OwnedKeys.firstOwner(kind, tenant, id),
                OwnedKeys.afterOwners(kind, tenant, id))) {
            return owners.hasNext() ? OwnedKeys.ownerOf(owners.next().key, tenant) : null;
        }
    }

    /** When the thing was made; null if the user has no such thing. */
    public Long createdMs(Kind kind, TenantId tenant, UUID id, byte[] user) {
        return HistoryCodecs.COUNT.decode(store.get(OwnedKeys.byId(kind, tenant, id, user)));
    }

    /** The next ones of a group, oldest first, at most {@code limit}. @param after null: from the first one */
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
}
