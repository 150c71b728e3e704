package dev.laurel.processors.store.users;

import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.users.UserIndexReader.Progress;
import dev.laurel.processors.store.users.UserIndexReader.UserIndexKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the index that {@link UserIndexReader} reads. It derives the index from the states of users before and after each change,
 * so that the index follows from the log as the states do. A command changes it only if it changes name or email, or is the user's
 * first event on a date in UTC, or if it changes the streak.
 *
 * <p>The stores of a version without an index, or without its newer part, have users, but no entries. The part is then built from them in
 * the order of their keys, some at a time; until a user is reached, changes of that user are ignored. The result is the same as if the
 * index had always been there. One thread.
 */
public final class UserIndex {

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;

    /** The terms of users, and the days of their last events. */
    private final Part found;

    /** The times at which users were created. */
    private final Part created;

    /** A part of the index, with how far it is built. */
    private final class Part {

        private final Bytes progress;

        /** The last user in this part; null: all users are in it. */
        private byte @Nullable [] reached;

        /** Whether the store says so. With the first user it does, so that the stores of a partition without users stay empty. */
        private boolean isMarked;

        Part(Bytes progress, boolean hasUsers) {
            this.progress = progress;
            byte[] stored = store.get(progress);
            Progress known = Progress.of(stored);
            this.isMarked = stored != null;
            this.reached = known.isComplete() || stored == null && !hasUsers ? null : known.reached();
        }

        /** Whether changes of a user are to be followed. */
        boolean follows(byte[] user) {
            byte[] last = reached;
            if (last != null && Arrays.compareUnsigned(user, last) > 0) {
                return false;
            }
            if (!isMarked) {
                mark(null);
            }
            return true;
        }

        void mark(byte @Nullable [] last) {
            reached = last;
            store.put(progress, new Progress(last == null ? new byte[0] : last, last == null).toBytes());
            isMarked = true;
        }
    }

    /**
     * @param partitionState the store that contains the index
     * @param hasUsers whether the partition has users already
     */
    public UserIndex(KeyValueStore<Bytes, byte[]> partitionState, boolean hasUsers) {
        this.store = partitionState;
        this.found = new Part(UserIndexKeys.progress(), hasUsers);
        this.created = new Part(UserIndexKeys.createdProgress(), hasUsers);
    }

    private Part built() {
        return found.reached != null ? found : created;
    }

    /** The user after whom users are to be added; null: all users are in the index. One part is built after the other. */
    public byte @Nullable [] reached() {
        return built().reached;
    }

    /** Adds the next users in the order of keys. @param isLast whether none follow */
    public void add(List<UserStores.Stored> next, boolean isLast) {
        Part part = built();
        for (UserStores.Stored user : next) {
            TenantId tenant = UserKey.parse(user.key()).tenant();
            if (part == found) {
                change(tenant, user.key(), null, user.state());
            } else {
                changeCreated(tenant, user.key(), null, user.state());
            }
            part.reached = user.key();
        }
        part.mark(isLast ? null : part.reached);
    }

    /**
     * Updates the index. Most commands cost four comparisons here.
     *
     * @param before null for a new user
     * @param after null for an erased user
     */
    public void follow(TenantId tenant, byte[] user, @Nullable UserState before, @Nullable UserState after) {
        if (found.follows(user)) {
            change(tenant, user, before, after);
        }
        if ((before == null || after == null) && created.follows(user)) {
            changeCreated(tenant, user, before, after);
        }
        if (after == null && before != null) {
            remove(UserIndexKeys.sample(tenant, before.id(), user));
        } else if (before == null && after != null) {
            store.put(UserIndexKeys.sample(tenant, after.id(), user), PRESENT);
        }
        if (before == null || after == null || !RankedStreak.areSame(before, after)) {
            changeStreaks(tenant, user, before, after);
        }
    }

    private void changeStreaks(TenantId tenant, byte[] user, @Nullable UserState before, @Nullable UserState after) {
        for (By by : By.values()) {
            Bytes from = UserIndexKeys.streakOf(tenant, by, user, before);
            Bytes to = UserIndexKeys.streakOf(tenant, by, user, after);
            if (!Objects.equals(from, to)) {
                // In this order, readers find the user once at least.
                if (to != null) {
                    store.put(to, PRESENT);
                }
                if (from != null) {
                    remove(from);
                }
            }
        }
    }

    private void changeCreated(TenantId tenant, byte[] user, @Nullable UserState before, @Nullable UserState after) {
        if (before != null) {
            remove(UserIndexKeys.created(tenant, before.createdMs(), user));
        }
        if (after != null) {
            store.put(UserIndexKeys.created(tenant, after.createdMs(), user), PRESENT);
        }
    }

    private void change(TenantId tenant, byte[] user, @Nullable UserState before, @Nullable UserState after) {
        if (before == null || after == null || UserIndexKeys.dayOf(before) != UserIndexKeys.dayOf(after)) {
            if (before != null) {
                remove(UserIndexKeys.active(tenant, UserIndexKeys.dayOf(before), user));
            }
            if (after != null) {
                store.put(UserIndexKeys.active(tenant, UserIndexKeys.dayOf(after), user), PRESENT);
            }
        }
        if (before != null && after != null && SearchTerms.areSame(before.profile(), after.profile())) {
            return;
        }
        Set<String> had = before == null ? Set.of() : SearchTerms.of(before.profile());
        Set<String> has = after == null ? Set.of() : SearchTerms.of(after.profile());
        for (String term : had) {
            if (!has.contains(term)) {
                remove(UserIndexKeys.term(tenant, term, user));
            }
        }
        for (String term : has) {
            if (!had.contains(term)) {
                store.put(UserIndexKeys.term(tenant, term, user), PRESENT);
            }
        }
    }

    /** Deletes an entry without reading it, as {@code delete} would. */
    private void remove(Bytes key) {
        store.put(key, null);
    }
}
