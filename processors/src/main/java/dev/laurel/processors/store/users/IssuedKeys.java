package dev.laurel.processors.store.users;

import dev.laurel.core.user.IssuedKey;
import dev.laurel.processors.store.users.OwnedReader.Entry;
import dev.laurel.processors.store.users.OwnedReader.Kind;
import dev.laurel.processors.store.users.OwnedReader.OwnedKeys;
import dev.laurel.schemas.key.UserKey;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** The lists of application keys of a partition's users, for the processor that owns them. One thread. */
public final class IssuedKeys {

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;
    private final IssuedKeyReader reader;

    public IssuedKeys(KeyValueStore<Bytes, byte[]> partitionState) {
        this.store = partitionState;
        this.reader = new IssuedKeyReader(partitionState);
    }

    /** The keys of a user, oldest first. */
    public List<IssuedKey> of(UserKey user) {
        return reader.of(user);
    }

    public void add(UserKey user, IssuedKey key) {
        byte[] owner = user.bytes();
        store.put(OwnedKeys.byId(Kind.KEY, user.tenant(), key.id(), owner), IssuedKeyReader.encode(key));
        store.put(byTime(user, owner, key), PRESENT);
    }

    public void remove(UserKey user, IssuedKey key) {
        byte[] owner = user.bytes();
        store.delete(OwnedKeys.byId(Kind.KEY, user.tenant(), key.id(), owner));
        store.delete(byTime(user, owner, key));
    }

    private static Bytes byTime(UserKey user, byte[] owner, IssuedKey key) {
        return OwnedKeys.byTime(Kind.KEY, user.tenant(), new Entry(0, key.createdMs(), key.id(), owner));
    }
}
