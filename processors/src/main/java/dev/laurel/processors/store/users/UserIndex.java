package dev.laurel.processors.store.users;

import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.users.UserIndexReader.UserIndexKeys;
import dev.laurel.schemas.key.TenantId;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the index that {@link UserIndexReader} reads. It derives the index from the states of users before and after each change,
 * so that the index follows from the log as the states do. A command changes it only if it changes name or email, or is the user's
 * first event on a date in UTC, or if it changes the streak. One thread.
 */
public final class UserIndex {

    private static final byte[] PRESENT = {1};

    private final KeyValueStore<Bytes, byte[]> store;

    /** @param partitionState the store that contains the index */
    public UserIndex(KeyValueStore<Bytes, byte[]> partitionState) {
        this.store = partitionState;
    }

    /**
     * Updates the index. Most commands cost four comparisons here.
     *
     * @param before null for a new user
     * @param after null for an erased user
     */
    public void follow(TenantId tenant, byte[] user, @Nullable UserState before, @Nullable UserState after) {
        if (before == null || after == null) {
            replace(before, after, state -> UserIndexKeys.created(tenant, state.createdMs(), user));
            replace(before, after, state -> UserIndexKeys.sample(tenant, state.id(), user));
        }
        if (before == null || after == null || UserIndexKeys.dayOf(before) != UserIndexKeys.dayOf(after)) {
            replace(before, after, state -> UserIndexKeys.active(tenant, UserIndexKeys.dayOf(state), user));
        }
        if (before == null || after == null || !RankedStreak.areSame(before, after)) {
            for (By by : By.values()) {
                replace(before, after, state -> UserIndexKeys.streakOf(tenant, by, user, state));
            }
        }
        if (before == null || after == null || !SearchTerms.areSame(before.profile(), after.profile())) {
            Set<String> had = before == null ? Set.of() : SearchTerms.of(before.profile());
            Set<String> has = after == null ? Set.of() : SearchTerms.of(after.profile());
            replace(had, has, tenant, user);
        }
    }

    private void replace(Set<String> had, Set<String> has, TenantId tenant, byte[] user) {
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

    /** Replaces an entry that follows from the state of the user. @param keyOf null: the user has no entry there */
    private void replace(@Nullable UserState before, @Nullable UserState after,
            Function<UserState, @Nullable Bytes> keyOf) {
        Bytes from = before == null ? null : keyOf.apply(before);
        Bytes to = after == null ? null : keyOf.apply(after);
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

    /** Deletes an entry without reading it, as {@code delete} would. */
    private void remove(Bytes key) {
        store.put(key, null);
    }
}
