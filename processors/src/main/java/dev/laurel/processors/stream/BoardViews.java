package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.Ranking;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rankings that this process holds in memory, for reads beside the tasks that move them on. Each task puts in and takes
 * out those of its own partition; all together hold so many participants at most. Thread-safe.
 */
public final class BoardViews {

    /** Some 200 MB: a thousand full groups, or a hundred thousand of ten. */
    public static final long DEFAULT_MAX_PARTICIPANTS = 1_000_000;

    private final Map<Integer, Map<BoardGroup, Ranking>> partitions = new ConcurrentHashMap<>();
    private final Set<Integer> unsettled = ConcurrentHashMap.newKeySet();
    private final Set<Integer> opening = ConcurrentHashMap.newKeySet();
    private final AtomicLong held = new AtomicLong();
    private final long maxParticipants;

    public BoardViews(long maxParticipants) {
        this.maxParticipants = maxParticipants;
    }

    /** The group's ranking at this moment; null if it is not held here. @param partition of {@code laurel.scores} */
    public Ranking find(int partition, BoardGroup group) {
        Map<BoardGroup, Ranking> rankings = partitions.get(partition);
        return rankings == null ? null : rankings.get(group);
    }

    void show(int partition, BoardGroup group, Ranking ranking) {
        Ranking before = partitions.computeIfAbsent(partition, _ -> new ConcurrentHashMap<>()).put(group, ranking);
        held.addAndGet(weightOf(ranking) - weightOf(before));
    }

    /** Whether what time and rules have made due is done, in every partition that is here. */
    public boolean areSettled() {
        return unsettled.isEmpty();
    }

    /** Whether what is here tells of all of the log: it has come to where its generation begins, in all partitions of the log. */
    public boolean isCurrent(int partition) {
        return !opening.contains(partition);
    }

    void opened(int partition, boolean isOpen) {
        if (isOpen) {
            opening.remove(partition);
        } else {
            opening.add(partition);
        }
    }

    void settled(int partition, boolean isSettled) {
        if (isSettled) {
            unsettled.remove(partition);
        } else {
            unsettled.add(partition);
        }
    }

    void drop(int partition, BoardGroup group) {
        Map<BoardGroup, Ranking> rankings = partitions.get(partition);
        if (rankings != null) {
            held.addAndGet(-weightOf(rankings.remove(group)));
        }
    }

    void dropAll(int partition) {
        Map<BoardGroup, Ranking> rankings = partitions.remove(partition);
        if (rankings != null) {
            rankings.values().forEach(ranking -> held.addAndGet(-weightOf(ranking)));
        }
    }

    boolean areTooMany() {
        return held.get() > maxParticipants;
    }

    /** An empty group takes memory too. */
    private static long weightOf(Ranking ranking) {
        return ranking == null ? 0 : ranking.size() + 1;
    }
}
