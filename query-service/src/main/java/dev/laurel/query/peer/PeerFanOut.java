package dev.laurel.query.peer;

import dev.laurel.platform.http.PeerCalls;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.partition.PartitionQuery;
import dev.laurel.query.peer.PeerClient.PeerAwayException;
import dev.laurel.schemas.serde.Json;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends a query to several processes at once, to each for its partitions. Thread-safe. */
final class PeerFanOut {

    private static final Executor THREADS = task -> Thread.ofVirtual().name("laurel-ask").start(task);
    private static final int OK = 200;

    private final PeerClient client;

    PeerFanOut(PeerClient client) {
        this.client = client;
    }

    /**
     * Runs a query on several processes.
     *
     * @param logPartitions see {@link PeerRequest}
     * @param byPeer the partitions of each peer
     * @param own computes the part of this process at the same time; null if it has none
     * @param parts receives the partial results
     * @param timeout of each call
     * @return the partitions whose processes did not respond
     */
    <R extends Record> List<Integer> ask(PartitionQuery<R> query, @Nullable Integer logPartitions,
            Map<String, List<Integer>> byPeer, @Nullable Supplier<R> own, List<R> parts, Duration timeout) {
        Staleness staleness = Staleness.current();
        Long maxLag = staleness == null ? null : staleness.maxLag();
        Map<String, CompletableFuture<R>> results = new HashMap<>();
        byPeer.forEach((peer, partitions) -> results.put(peer, CompletableFuture.supplyAsync(client.traced(() -> {
            try {
                return ask(client, peer, PeerRequest.of(query, partitions, maxLag, logPartitions), query.resultType(),
                        staleness, timeout);
            } catch (PeerAwayException e) {
                throw new CompletionException(e);
            }
        }), THREADS)));
        if (own != null) {
            parts.add(own.get());
        }
        var missing = new ArrayList<Integer>();
        results.forEach((peer, result) -> {
            try {
                parts.add(result.join()); // ends with the timeout of the call
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof PeerAwayException)) {
                    throw e;
                }
                missing.addAll(byPeer.get(peer));
            }
        });
        return missing;
    }

    /** @param staleness records that the result is stale; null if the result must be up to date */
    static <R> R ask(PeerClient client, String peer, PeerRequest request, Class<R> type, @Nullable Staleness staleness,
            Duration timeout) throws PeerAwayException {
        HttpResponse<byte[]> response = client.call(peer,
                new PeerClient.Call(PeerRequest.PATH, Map.of(), Json.write(request)), timeout);
        if (response.statusCode() != OK) {
            // A peer of another version does not know the query. It counts as away until it is upgraded.
            throw new PeerAwayException(peer + " answers " + response.statusCode() + " to " + request.question());
        }
        if (staleness != null) {
            response.headers().firstValueAsLong(PeerCalls.STALE).ifPresent(staleness::note);
        }
        return Json.read(response.body(), type);
    }
}
