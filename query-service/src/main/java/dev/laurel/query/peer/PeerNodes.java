package dev.laurel.query.peer;

import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.OwnerTracker.Owner;
import dev.laurel.query.locate.PartitionOwners;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.peer.PeerClient.PeerAwayException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * This node and the others. This node answers for its own partitions and asks the owners of the others at the same time. If an
 * owner does not respond, the query fails, unless the read {@link Staleness may be stale}: then nodes with copies answer, this
 * node included. Thread-safe.
 */
public final class PeerNodes implements Nodes {

    static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** The timeout of queries that read every user, or every group of a leaderboard. */
    private static final Duration LONG_TIMEOUT = Duration.ofSeconds(20);

    private final LocalNode local;
    private final PartitionOwners owners;
    private final PeerClient client;
    private final PeerFanOut fanOut;

    public PeerNodes(LocalNode local, PartitionOwners owners, PeerClient client) {
        this.local = local;
        this.owners = owners;
        this.client = client;
        this.fanOut = new PeerFanOut(client);
    }

    @Override
    public <R extends Record> R ask(UserQuery<R> query) {
        LogLayout layout = local.partitions().layout();
        R result = ask(query, layout);
        local.partitions().expectUnchanged(layout);
        return result;
    }

    private <R extends Record> R ask(UserQuery<R> query, LogLayout layout) {
        var own = new ArrayList<Integer>();
        Map<String, List<Integer>> byPeer = new HashMap<>();
        var missing = new ArrayList<Integer>();
        for (int partition : query.partitionsOf(layout).toArray()) {
            if (local.partitions().isServed(partition)) {
                own.add(partition);
                continue;
            }
            String owner = owners.users().of(partition).active();
            if (owner == null || owner.equals(owners.self())) {
                missing.add(partition);
            } else {
                byPeer.computeIfAbsent(owner, _ -> new ArrayList<>()).add(partition);
            }
        }
        if (byPeer.isEmpty() && missing.isEmpty()) {
            return query.answer(local, own);
        }
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        var parts = new ArrayList<R>();
        missing.addAll(fanOut(query, layout, byPeer, own, parts,
                query.readsEveryUser() ? LONG_TIMEOUT : PeerClient.TIMEOUT));
        if (!missing.isEmpty()) {
            askCopies(query, layout, missing, parts, Duration.ofNanos(deadlineNs - System.nanoTime()));
        }
        return parts.size() == 1 ? parts.getFirst() : query.merge(parts);
    }

    private <R extends Record> List<Integer> fanOut(UserQuery<R> query, LogLayout layout,
            Map<String, List<Integer>> byPeer, List<Integer> own, List<R> parts, Duration timeout) {
        return fanOut.ask(query, layout.partitions(), byPeer, own.isEmpty() ? null : () -> answerHere(query, own),
                parts, timeout);
    }

    /** Answers without naming a partition that has just moved, or else the relay would forward the whole request. */
    private <R extends Record> R answerHere(UserQuery<R> query, List<Integer> partitions) {
        try {
            return query.answer(local, partitions);
        } catch (NotReadyException e) {
            throw withoutPartition(e);
        }
    }

    private static NotReadyException withoutPartition(NotReadyException e) {
        return e.partition() == null ? e : new NotReadyException(Objects.requireNonNull(e.getMessage()));
    }

    private <R extends Record> void askCopies(UserQuery<R> query, LogLayout layout, List<Integer> missing,
            List<R> parts, Duration timeout) {
        boolean mayBeStale = Staleness.current() != null && timeout.isPositive();
        var own = new ArrayList<Integer>();
        Map<String, List<Integer>> byPeer = new HashMap<>();
        for (int partition : missing) {
            Owner owner = owners.users().of(partition);
            boolean isHere = owner.standbys().contains(owners.self()) || owners.self().equals(owner.active());
            if (!mayBeStale || !isHere && owner.standbys().isEmpty()) {
                throw NotReadyException.ofOthers("partition " + partition + " cannot be read anywhere now");
            }
            if (isHere) {
                own.add(partition);
            } else {
                byPeer.computeIfAbsent(owner.standbys().getFirst(), _ -> new ArrayList<>()).add(partition);
            }
        }
        List<Integer> nowhere = fanOut(query, layout, byPeer, own, parts, timeout);
        if (!nowhere.isEmpty()) {
            throw NotReadyException.ofOthers("partitions " + nowhere + " cannot be read anywhere now");
        }
    }

    @Override
    public <R extends Record> R ask(LeaderboardQuery<R> query) {
        List<Integer> partitions = local.partitionsOf(query);
        return partitions.size() == 1 ? askOwner(query, partitions) : askOwners(query, partitions);
    }

    /** @param partitions one */
    private <R extends Record> R askOwner(LeaderboardQuery<R> query, List<Integer> partitions) {
        int partition = partitions.getFirst();
        String owner = local.boards().isServed().test(partition) ? null : owners.boards().of(partition).active();
        try {
            return owner == null || owner.equals(owners.self())
                    ? local.ask(query, partitions)
                    : PeerFanOut.ask(client, owner, PeerRequest.of(query, partitions), query.resultType(), null,
                            timeoutOf(query));
        } catch (PeerAwayException e) {
            throw new NotReadyException(Objects.requireNonNull(e.getMessage()));
        } catch (NotReadyException e) {
            throw withoutPartition(e);
        }
    }

    private static Duration timeoutOf(LeaderboardQuery<?> query) {
        return query.readsEveryGroup() ? LONG_TIMEOUT : PeerClient.TIMEOUT;
    }

    /** Asks for the parts of a spread leaderboard. */
    private <R extends Record> R askOwners(LeaderboardQuery<R> query, List<Integer> partitions) {
        var own = new ArrayList<Integer>();
        Map<String, List<Integer>> byPeer = new HashMap<>();
        for (int partition : partitions) {
            String owner = local.boards().isServed().test(partition)
                    ? owners.self()
                    : owners.boards().of(partition).active();
            if (owner == null || owner.equals(owners.self())) {
                own.add(partition);
            } else {
                byPeer.computeIfAbsent(owner, _ -> new ArrayList<>()).add(partition);
            }
        }
        try {
            var parts = new ArrayList<R>();
            List<Integer> missing = fanOut.ask(query, null, byPeer,
                    own.isEmpty() ? null : () -> local.ask(query, own), parts, timeoutOf(query));
            if (!missing.isEmpty()) {
                throw NotReadyException.ofOthers("leaderboard partitions " + missing + " cannot be read anywhere now");
            }
            return parts.size() == 1 ? parts.getFirst() : query.merge(parts);
        } catch (NotReadyException e) {
            throw withoutPartition(e);
        }
    }
}
