package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardGroup.View;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The rankings that this process holds in memory, for reads concurrent to the tasks that update them. Each task adds and removes
 * those of its own partition; together they have a maximum number of participants and teams. Thread-safe.
 */
public final class LeaderboardViews {

    /** About 200 MB: a thousand full groups, or a hundred thousand of ten participants. */
    public static final long DEFAULT_MAX_PARTICIPANTS = 1_000_000;

    private final Map<Integer, Map<LeaderboardGroup, Shown>> partitions = new ConcurrentHashMap<>();
    private final Set<Integer> unsettled = ConcurrentHashMap.newKeySet();
    private final Set<Integer> inCutover = ConcurrentHashMap.newKeySet();
    private final AtomicLong held = new AtomicLong();
    private final long maxParticipants;

    /** @param outside users beside the participants */
    private record Shown(View view, int outside) {

        /** An empty group takes memory, too. */
        static long weightOf(@Nullable Shown shown) {
            return shown == null
                    ? 0
                    : shown.view.ranking().size()
                            + shown.view.teams().bestFirst().size()
                            + shown.outside
                            + 1;
        }
    }

    public LeaderboardViews(long maxParticipants) {
        this.maxParticipants = maxParticipants;
    }

    /** A group as it is now; null if it is not in memory here. @param partition of {@code laurel.scores} */
    public @Nullable View find(int partition, LeaderboardGroup group) {
        Map<LeaderboardGroup, Shown> views = partitions.get(partition);
        Shown shown = views == null ? null : views.get(group);
        return shown == null ? null : shown.view;
    }

    /** @param outside users of the group beside the participants */
    void show(int partition, LeaderboardGroup group, View view, int outside) {
        var shown = new Shown(view, outside);
        Shown before = partitions
                .computeIfAbsent(partition, _ -> new ConcurrentHashMap<>())
                .put(group, shown);
        held.addAndGet(Shown.weightOf(shown) - Shown.weightOf(before));
    }

    /** Whether everything due by time and rules is done, in every partition that is here. */
    public boolean areSettled() {
        return unsettled.isEmpty();
    }

    /** Whether the task of a partition has reached the beginning of its generation in all partitions of the log. */
    public boolean isCurrent(int partition) {
        return !inCutover.contains(partition);
    }

    void setCurrent(int partition, boolean isCurrent) {
        set(inCutover, partition, !isCurrent);
    }

    void setSettled(int partition, boolean isSettled) {
        set(unsettled, partition, !isSettled);
    }

    private static void set(Set<Integer> partitions, int partition, boolean isMember) {
        if (isMember) {
            partitions.add(partition);
        } else {
            partitions.remove(partition);
        }
    }

    void drop(int partition, LeaderboardGroup group) {
        Map<LeaderboardGroup, Shown> views = partitions.get(partition);
        if (views != null) {
            held.addAndGet(-Shown.weightOf(views.remove(group)));
        }
    }

    void dropAll(int partition) {
        Map<LeaderboardGroup, Shown> views = partitions.remove(partition);
        if (views != null) {
            views.values().forEach(shown -> held.addAndGet(-Shown.weightOf(shown)));
        }
    }

    boolean areTooMany() {
        return held.get() > maxParticipants;
    }
}
