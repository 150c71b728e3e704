package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.processors.store.boards.HeldScore;
import dev.laurel.processors.store.boards.HeldScoreStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The scores of one partition of the log that were not sent, because they are below floors that may have fallen since, or that were
 * sent and may have been ignored. A score is released as soon as the leaderboards have published floors after it: by then it is known
 * whether it matters. Holds the newest score of each user, group and run, above 0. One task, one thread.
 */
final class HeldScores {

    /** Further scores are sent. About 5 MB for each task. */
    private static final int MAX_HELD = 20_000;

    private final Map<LeaderboardGroup, LinkedHashMap<UserId, HeldScore>> groups = new LinkedHashMap<>();
    private int size;

    /** Whether the stored scores are different. */
    private boolean hasChanged;

    boolean isEmpty() {
        return size == 0;
    }

    boolean isFull() {
        return size >= MAX_HELD;
    }

    /** Adds the newest score of a user. An earlier score of the user in this group must have been removed. */
    void add(HeldScore held) {
        hasChanged = true;
        groups.computeIfAbsent(held.group(), _ -> new LinkedHashMap<>())
                .put(held.score().user(), held);
        size++;
    }

    /** Removes and returns the score of a user; null if there is none. */
    @Nullable
    HeldScore remove(LeaderboardGroup group, UserId user) {
        LinkedHashMap<UserId, HeldScore> users = groups.get(group);
        if (users == null) {
            return null;
        }
        HeldScore removed = users.remove(user);
        if (removed != null) {
            hasChanged = true;
            size--;
        }
        if (users.isEmpty()) {
            groups.remove(group);
        }
        return removed;
    }

    /** Removes and returns all scores of a user. */
    List<HeldScore> remove(TenantId tenant, UserId user) {
        var removed = new ArrayList<HeldScore>();
        for (LeaderboardGroup group : List.copyOf(groups.keySet())) {
            HeldScore held = group.tenant().equals(tenant) ? remove(group, user) : null;
            if (held != null) {
                removed.add(held);
            }
        }
        return removed;
    }

    /** The groups with scores. */
    Collection<LeaderboardGroup> groups() {
        return groups.keySet();
    }

    /** The newest score of a group; null if there is none. */
    @Nullable
    HeldScore newest(LeaderboardGroup group) {
        LinkedHashMap<UserId, HeldScore> users = groups.get(group);
        return users == null ? null : users.lastEntry().getValue();
    }

    /** Removes and returns the scores of a group, in the order of the log. @param isWanted selects them */
    List<HeldScore> take(LeaderboardGroup group, Predicate<HeldScore> isWanted) {
        LinkedHashMap<UserId, HeldScore> users = groups.get(group);
        if (users == null) {
            return List.of();
        }
        var taken = new ArrayList<HeldScore>();
        for (Iterator<HeldScore> all = users.values().iterator(); all.hasNext(); ) {
            HeldScore held = all.next();
            if (isWanted.test(held)) {
                taken.add(held);
                all.remove();
            }
        }
        hasChanged |= !taken.isEmpty();
        size -= taken.size();
        if (users.isEmpty()) {
            groups.remove(group);
        }
        return taken;
    }

    /** Stores the scores if they have changed since the last call. @param offset of the newest command */
    void save(HeldScoreStore stored, long offset) {
        if (hasChanged) {
            hasChanged = false;
            var all = new ArrayList<HeldScore>(size);
            groups.values().forEach(users -> all.addAll(users.values()));
            stored.write(all);
        }
        stored.moveTo(offset);
    }
}
