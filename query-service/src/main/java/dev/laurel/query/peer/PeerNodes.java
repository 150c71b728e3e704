package dev.laurel.query.peer;

import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.OwnerTracker;
import dev.laurel.query.locate.OwnerTracker.Owner;
import dev.laurel.query.locate.OwnerTracker.PartitionOwners;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.query.partition.DeliveryQuery;
import dev.laurel.query.partition.DeliveryQuery.DeliveryProcesses;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.PartitionQuery;
import dev.laurel.query.partition.UserQuery;
import dev.laurel.query.peer.PeerClient.PeerAwayException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This node and the others. This node answers for its own partitions and asks the owners of the others at the same time. If an
 * owner does not respond, the query fails, unless the read {@link Staleness may be stale}: then nodes with copies answer, this
 * node included. Thread-safe.
 */
public record PeerNodes(LocalNode local, PartitionOwners owners, PeerClient client) implements Nodes {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** The timeout of queries that read every user, or every group of a leaderboard. */
    private static final Duration LONG_TIMEOUT = Duration.ofSeconds(20);

    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("laurel-ask").start(task);

    /** Stand for this process, and for no process, among addresses. */
    private static final String HERE = "here";

    private static final String NOWHERE = "nowhere";

    @Override
    public <R extends Record> R ask(UserQuery<R> query) {
        UserPartitions partitions = local.users().partitions();
        LogLayout layout = partitions.layout();
        Map<String, List<Integer>> byPlace = byPlace(query.partitionsOf(layout).boxed(), partition -> {
            String owner = partitions.isServed(partition)
                    ? HERE
                    : owners.users().of(partition).active();
            return owner == null || owner.equals(owners.self()) ? NOWHERE : owner;
        });
        if (Set.of(HERE).containsAll(byPlace.keySet())) {
            return local.ask(query, byPlace.getOrDefault(HERE, List.of()), layout);
        }
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        var parts = new ArrayList<R>();
        List<Integer> missing = askUsers(query, layout, byPlace, parts, timeoutOf(query));
        if (!missing.isEmpty()) {
            askCopies(query, layout, missing, parts, Duration.ofNanos(deadlineNs - System.nanoTime()));
        }
        partitions.expectUnchanged(layout);
        return merge(query, parts);
    }

    private <R extends Record> List<Integer> askUsers(
            UserQuery<R> query, LogLayout layout, Map<String, List<Integer>> byPlace, List<R> parts, Duration timeout) {
        return ask(
                client, query, layout.partitions(), byPlace, own -> query.answer(local.users(), own), parts, timeout);
    }

    private <R extends Record> void askCopies(
            UserQuery<R> query, LogLayout layout, List<Integer> missing, List<R> parts, Duration timeout) {
        boolean mayBeStale = Staleness.current() != null && timeout.isPositive();
        Map<String, List<Integer>> byPlace = byPlace(missing.stream(), partition -> {
            Owner owner = owners.users().of(partition);
            boolean isHere =
                    owner.standbys().contains(owners.self()) || owners.self().equals(owner.active());
            if (!mayBeStale || !isHere && owner.standbys().isEmpty()) {
                throw NotReadyException.ofOthers("partition " + partition + " cannot be read anywhere now");
            }
            return isHere ? HERE : owner.standbys().getFirst();
        });
        expectAll("partitions", askUsers(query, layout, byPlace, parts, timeout));
    }

    @Override
    public <R extends Record> R ask(LeaderboardQuery<R> query) {
        Map<String, List<Integer>> byPlace = byPlace(local.partitionsOf(query).stream(), partition -> {
            String owner = local.boards().isServed().test(partition)
                    ? HERE
                    : owners.boards().of(partition).active();
            return owner == null || owner.equals(owners.self()) ? HERE : owner;
        });
        var parts = new ArrayList<R>();
        expectAll(
                "leaderboard partitions",
                ask(client, query, null, byPlace, own -> local.ask(query, own), parts, timeoutOf(query)));
        return merge(query, parts);
    }

    private static Duration timeoutOf(PartitionQuery<?> query) {
        return query.readsAll() ? LONG_TIMEOUT : PeerClient.TIMEOUT;
    }

    private static Map<String, List<Integer>> byPlace(Stream<Integer> partitions, Function<Integer, String> placeOf) {
        return partitions.collect(Collectors.groupingBy(placeOf));
    }

    private static void expectAll(String what, List<Integer> missing) {
        if (!missing.isEmpty()) {
            throw NotReadyException.ofOthers(what + " " + missing + " cannot be read anywhere now");
        }
    }

    private static <R extends Record> R merge(PartitionQuery<R> query, List<R> parts) {
        return parts.size() == 1 ? parts.getFirst() : query.merge(parts);
    }

    /**
     * Runs a query on several processes at once, on each for its partitions.
     *
     * @param logPartitions see {@link PeerRequest}
     * @param byPlace the partitions by the address of the process, {@link #HERE} or {@link #NOWHERE}
     * @param own computes the part of this process
     * @param parts receives the partial results
     * @param timeout of each call
     * @return the partitions whose processes did not respond
     */
    private static <R extends Record> List<Integer> ask(
            PeerClient client,
            PartitionQuery<R> query,
            @Nullable Integer logPartitions,
            Map<String, List<Integer>> byPlace,
            Function<List<Integer>, R> own,
            List<R> parts,
            Duration timeout) {
        Staleness staleness = Staleness.current();
        Map<String, CompletableFuture<R>> results = new HashMap<>();
        byPlace.forEach((place, partitions) -> {
            if (!place.equals(HERE) && !place.equals(NOWHERE)) {
                results.put(
                        place,
                        CompletableFuture.supplyAsync(
                                client.traced(() -> {
                                    try {
                                        return PeerRequest.ask(
                                                client, place, query, partitions, logPartitions, staleness, timeout);
                                    } catch (PeerAwayException e) {
                                        throw new CompletionException(e);
                                    }
                                }),
                                THREADS));
            }
        });
        List<Integer> here = byPlace.get(HERE);
        if (here != null) {
            try {
                parts.add(own.apply(here));
            } catch (NotReadyException e) {
                // A partition that has just moved is not named, or else the relay would forward the whole request.
                throw e.withoutPartition();
            }
        }
        var missing = new ArrayList<>(byPlace.getOrDefault(NOWHERE, List.of()));
        results.forEach((peer, result) -> {
            try {
                parts.add(result.join()); // ends with the timeout of the call
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof PeerAwayException)) {
                    throw e;
                }
                missing.addAll(Objects.requireNonNull(byPlace.get(peer)));
            }
        });
        return missing;
    }

    /**
     * The delivery processes of a deployment. This process answers for its own partitions and asks the others for theirs, all at the
     * same time. If one of them does not respond, the query fails, because a list with gaps would pass for a complete one. It does
     * not read copies. Thread-safe.
     *
     * @param self host:port under which the other processes reach this one
     */
    public record PeerDeliveries(DeliveryPartitions local, OwnerTracker owners, String self, PeerClient client)
            implements DeliveryProcesses {

        @Override
        public <R extends Record> R ask(DeliveryQuery<R> query) {
            Map<String, List<Integer>> byPlace =
                    byPlace(query.partitionsOf(local.count()).boxed(), partition -> {
                        String owner = owners.of(partition).active();
                        return owner == null || owner.equals(self)
                                ? HERE
                                : owner; // if it is not open here, it is so nowhere
                    });
            var parts = new ArrayList<R>();
            expectAll(
                    "deliveries of partitions",
                    PeerNodes.ask(
                            client, query, null, byPlace, own -> query.answer(local, own), parts, PeerClient.TIMEOUT));
            return merge(query, parts);
        }
    }

    /**
     * The nodes of a deployment, for a process that is not a node. Any node answers a query, with the help of the others if needed.
     * Queries go to the nodes in rotation; if a node does not respond, its successor gets the query. Thread-safe.
     */
    public static final class RemoteNodes implements Nodes {

        private final List<String> addresses;
        private final PeerClient client;
        private final AtomicInteger next = new AtomicInteger();

        /** @param addresses host:port of at least one node, not of a gateway or of a proxy in front of one */
        public RemoteNodes(List<String> addresses, PeerClient client) {
            if (addresses.isEmpty()) {
                throw new IllegalArgumentException("addresses must have at least one node");
            }
            this.addresses = List.copyOf(addresses);
            this.client = client;
        }

        @Override
        public <R extends Record> R ask(UserQuery<R> query) {
            return askAny(query);
        }

        @Override
        public <R extends Record> R ask(LeaderboardQuery<R> query) {
            return askAny(query);
        }

        private <R extends Record> R askAny(PartitionQuery<R> query) {
            int first = next.getAndIncrement();
            String reason = "";
            for (int i = 0; i < Math.min(2, addresses.size()); i++) {
                String node = addresses.get(Math.floorMod(first + i, addresses.size()));
                try {
                    return PeerRequest.ask(client, node, query, null, null, null, TIMEOUT);
                } catch (PeerAwayException e) {
                    reason = Objects.requireNonNull(e.getMessage());
                }
            }
            throw new NotReadyException(reason);
        }
    }
}
