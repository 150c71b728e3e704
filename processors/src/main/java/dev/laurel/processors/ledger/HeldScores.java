package dev.laurel.processors.ledger;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardMessage.Scored;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The scores of one partition of the log that were not sent, because they are below floors that may have fallen since. A score is
 * released as soon as the leaderboards have published floors after it: by then it is known whether it matters. Holds the newest score
 * of each user, group and run, above 0. One task, one thread.
 */
final class HeldScores {

    /** Further scores are sent. About 5 MB for each task. */
    private static final int MAX_HELD = 20_000;

    private final Map<BoardGroup, LinkedHashMap<UserId, Held>> groups = new LinkedHashMap<>();
    private int size;

    /**
     * A score that was not sent.
     *
     * @param offset of the command in the log
     * @param before the highest value that the user may still have on the leaderboard
     * @param isSilent whether another generation produces the output
     * @param key of the leaderboard
     * @param waiting who awaits the verdict
     */
    record Held(Scored score, long offset, BigDecimal before, boolean isSilent, String key, List<ReplyTo> waiting) {

        /** Whether the score may change a ranking with this floor. @param floor null: unknown, or there is room */
        boolean mayMatter(@Nullable BigDecimal floor) {
            return floor == null || score.value().compareTo(floor) > 0 || before.compareTo(floor) >= 0;
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean isFull() {
        return size >= MAX_HELD;
    }

    /** Adds the newest score of a user. An earlier score of the user in this group must have been removed. */
    void add(BoardGroup group, Held held) {
        groups.computeIfAbsent(group, _ -> new LinkedHashMap<>()).put(held.score().user(), held);
        size++;
    }

    /** Removes and returns the score of a user; null if there is none. */
    @Nullable
    Held remove(BoardGroup group, UserId user) {
        LinkedHashMap<UserId, Held> users = groups.get(group);
        if (users == null) {
            return null;
        }
        Held removed = users.remove(user);
        if (removed != null) {
            size--;
        }
        if (users.isEmpty()) {
            groups.remove(group);
        }
        return removed;
    }

    /** Removes and returns all scores of a user. */
    List<Held> remove(TenantId tenant, UserId user) {
        var removed = new ArrayList<Held>();
        for (BoardGroup group : List.copyOf(groups.keySet())) {
            Held held = group.tenant().equals(tenant) ? remove(group, user) : null;
            if (held != null) {
                removed.add(held);
            }
        }
        return removed;
    }

    /** The groups with scores. */
    Collection<BoardGroup> groups() {
        return groups.keySet();
    }

    /** The newest score of a group; null if there is none. */
    @Nullable
    Held newest(BoardGroup group) {
        LinkedHashMap<UserId, Held> users = groups.get(group);
        return users == null ? null : users.lastEntry().getValue();
    }

    /** Removes and returns the scores of a group, in the order of the log. @param isWanted selects them */
    List<Held> take(BoardGroup group, Predicate<Held> isWanted) {
        LinkedHashMap<UserId, Held> users = groups.get(group);
        if (users == null) {
            return List.of();
        }
        var taken = new ArrayList<Held>();
        for (Iterator<Held> all = users.values().iterator(); all.hasNext();) {
            Held held = all.next();
            if (isWanted.test(held)) {
                taken.add(held);
                all.remove();
            }
        }
        size -= taken.size();
        if (users.isEmpty()) {
            groups.remove(group);
        }
        return taken;
    }
}
