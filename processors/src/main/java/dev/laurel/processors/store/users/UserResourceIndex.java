package dev.laurel.processors.store.users;

import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.processors.store.users.UserResourceReader.OwnedKeys;
import dev.laurel.schemas.key.TenantId;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the index that {@link UserResourceReader} reads. It derives the index from the states of users before and after each change,
 * so that the index follows from the log as the states do. One thread.
 */
public final class UserResourceIndex {

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;
    private final UserResourceReader reader;

    /** @param partitionState the store that contains the index */
    public UserResourceIndex(KeyValueStore<Bytes, byte[]> partitionState) {
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
    public void follow(TenantId tenant, byte[] user, @Nullable UserState before, @Nullable UserState after,
            long atMs) {
        List<Pause> hadPauses = before == null ? List.of() : before.streak().pauses();
        List<Pause> hasPauses = after == null ? List.of() : after.streak().pauses();
        if (hadPauses != hasPauses) {
            follow(Kind.PAUSE, tenant, hadPauses, hasPauses, pause -> new Entry(0, atMs, pause.id(), user));
        }
        List<UserBoost> hadBoosts = before == null ? List.of() : before.boosts();
        List<UserBoost> hasBoosts = after == null ? List.of() : after.boosts();
        if (hadBoosts != hasBoosts) {
            follow(Kind.BOOST, tenant, hadBoosts, hasBoosts,
                    boost -> new Entry(boost.system(), boost.createdMs(), boost.id(), user));
        }
    }

    private <T> void follow(Kind kind, TenantId tenant, List<T> had, List<T> has, Function<T, Entry> entryOf) {
        List<Entry> former = had.stream().map(entryOf).toList();
        List<Entry> present = has.stream().map(entryOf).toList();
        former.stream().filter(entry -> isMissing(entry, present)).forEach(entry -> removeKnown(kind, tenant, entry));
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
        store.put(OwnedKeys.byTime(kind, tenant, entry), PRESENT);
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
