package dev.laurel.query.peer;

import dev.laurel.query.locate.Staleness;
import dev.laurel.query.question.Question;
import dev.laurel.schemas.http.PeerCalls;
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

/** Asks several processes at once, each for its part of a question. Thread-safe. */
final class Gathering {

    private static final Executor THREADS = task -> Thread.ofVirtual().name("laurel-ask").start(task);
    private static final int OK = 200;

    private final PeerClient client;

    Gathering(PeerClient client) {
        this.client = client;
    }

    /**
     * @param logPartitions see {@link Asked}
     * @param ofOthers whom to ask, and of which partitions
     * @param own what is to be said of partitions that are here, worked out meanwhile; null: nothing
     * @param parts get the answers
     * @param timeout of each call
     * @return partitions whose processes have not answered
     */
    <A extends Record> List<Integer> gather(Question<A> question, Integer logPartitions,
            Map<String, List<Integer>> ofOthers, Supplier<A> own, List<A> parts, Duration timeout) {
        Staleness staleness = Staleness.current();
        Long maxLag = staleness == null ? null : staleness.maxLag();
        Map<String, CompletableFuture<A>> asked = new HashMap<>();
        ofOthers.forEach((peer, partitions) -> asked.put(peer, CompletableFuture.supplyAsync(client.carrying(() -> {
            try {
                return ask(client, peer, Asked.of(question, partitions, maxLag, logPartitions), question.answerType(),
                        staleness,
                        timeout);
            } catch (PeerAwayException e) {
                throw new CompletionException(e);
            }
        }), THREADS)));
        if (own != null) {
            parts.add(own.get());
        }
        var missing = new ArrayList<Integer>();
        asked.forEach((peer, answer) -> {
            try {
                parts.add(answer.join()); // as long as the call may take, not longer
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof PeerAwayException)) {
                    throw e;
                }
                missing.addAll(ofOthers.get(peer));
            }
        });
        return missing;
    }

    /** @param staleness told if the answer is stale; null: it is not to be */
    static <A> A ask(PeerClient client, String peer, Asked asked, Class<A> type, Staleness staleness, Duration timeout)
            throws PeerAwayException {
        HttpResponse<byte[]> answer = client.call(peer, new PeerClient.Call(Asked.PATH, Map.of(), Json.write(asked)),
                timeout);
        if (answer.statusCode() != OK) {
            // One of another version, which does not know the question: as good as away, until it is the same.
            throw new PeerAwayException(peer + " answers " + answer.statusCode() + " to " + asked.question());
        }
        if (staleness != null) {
            answer.headers().firstValueAsLong(PeerCalls.STALE).ifPresent(staleness::note);
        }
        return Json.read(answer.body(), type);
    }
}
