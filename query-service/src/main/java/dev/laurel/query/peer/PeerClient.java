package dev.laurel.query.peer;

import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.platform.http.PeerCalls;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.platform.trace.Tracing.Span;
import dev.laurel.query.peer.PeerClient.PeerMeters.Outcome;
import dev.laurel.schemas.kind.IssueList;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls other nodes over connections of its own. It limits the number of calls to a peer and the time of each, so that a peer
 * that hangs delays only the requests that need it, and only for a short time. It does not call a peer again for a second after
 * the peer did not respond. Thread-safe; a call blocks its thread, which should be a virtual one.
 *
 * <p>It uses the client of the JDK because that sends paths unchanged. A user id may be {@code ..} in any encoding, which other
 * clients resolve.
 */
public final class PeerClient implements AutoCloseable {

    /** The usual timeout of a call. */
    public static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PeerClient.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final long AWAY_NS = Duration.ofSeconds(1).toNanos();
    public static final int DEFAULT_MAX_CALLS = 256;
    private static final int MAX_PEERS = 10_000;

    /** A hundred times the size of any page. */
    private static final long MAX_RESPONSE_BYTES = 64L * 1024 * 1024;

    private static final int BUSY = 503;
    private static final String TRACEPARENT = "traceparent";

    private final OutboundHttp client;
    private final PeerKey key;
    private final String scheme;
    private final PeerMeters meters;
    private final Tracing tracing;
    private final int maxCalls;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();

    private static final class Peer {
        private final Semaphore permits;
        private volatile long awayUntilNs = System.nanoTime();

        Peer(int maxCalls) {
            this.permits = new Semaphore(maxCalls);
        }
    }

    /**
     * Settings of the calls between the nodes of one deployment.
     *
     * @param advertised host:port under which other nodes reach this one, as its applications advertise it
     * @param key derived from the admin key that all processes are started with
     * @param maxLag the number of records that a copy may be behind its changelog to be read in place of its owner
     * @param maxCalls the number of calls to one node at a time
     * @param tls null for plain HTTP
     */
    public record PeerSettings(
            String advertised,
            PeerKey key,
            long maxLag,
            int maxCalls,
            @Nullable SSLContext tls) {

        public PeerSettings {
            if (advertised.isEmpty()) {
                throw new IllegalArgumentException("advertised must be the host:port of this node");
            }
        }
    }

    /** A request to a peer. @param path with the query, encoded @param body null for GET */
    public record Call(String path, Map<String, String> headers, byte @Nullable [] body) {}

    /**
     * @param tls trusts the authorities that must have certified the names of the peers; null for plain HTTP
     * @param maxCalls the number of calls to one peer at a time
     * @param meters of this process; the caller closes them
     * @param tracing traces calls that belong to a traced request
     */
    public PeerClient(PeerKey key, @Nullable SSLContext tls, int maxCalls, PeerMeters meters, Tracing tracing) {
        this.maxCalls = maxCalls;
        this.key = key;
        this.meters = meters;
        this.tracing = tracing;
        this.scheme = tls == null ? "http" : "https";
        this.client = new OutboundHttp(HttpClient.Version.HTTP_1_1, CONNECT_TIMEOUT, tls);
    }

    /**
     * Calls a peer and waits for the whole response.
     *
     * @param peer host:port
     * @throws PeerAwayException also if it answers 503 or refuses the peer key
     */
    public HttpResponse<byte[]> call(String peer, Call call, Duration timeout) throws PeerAwayException {
        Peer known = expectThere(peer);
        try {
            return send(
                    peer, known, call, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_RESPONSE_BYTES), timeout);
        } finally {
            known.permits.release();
        }
    }

    /** Wraps a task for another thread so that its calls belong to the trace of this thread. */
    <T> Supplier<T> traced(Supplier<T> task) {
        return tracing.carrying(task);
    }

    /** Reads the body of a response while it arrives. */
    public interface Reader {

        void read(HttpResponse<InputStream> answer) throws IOException;
    }

    /**
     * Calls a peer and hands over the response as soon as it begins.
     *
     * @param timeout until the response begins
     * @param whole until the end of the body; the body is cut off then
     */
    public void stream(String peer, Call call, Duration timeout, Duration whole, Reader reader)
            throws PeerAwayException, IOException {
        Peer known = expectThere(peer);
        try {
            HttpResponse<InputStream> answer = send(peer, known, call, BodyHandlers.ofInputStream(), timeout);
            try (InputStream body = answer.body()) {
                CompletableFuture<Void> limit = CompletableFuture.runAsync(
                        () -> close(body),
                        CompletableFuture.delayedExecutor(
                                whole.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread));
                try {
                    reader.read(answer);
                } finally {
                    limit.cancel(false);
                }
            }
        } finally {
            known.permits.release();
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            LOG.debug("Closing a response that took too long failed", e);
        }
    }

    /** Checks that the peer can be called, and takes a permit. */
    private Peer expectThere(String peer) throws PeerAwayException {
        if (peers.size() >= MAX_PEERS) {
            peers.clear(); // more than exist at any time: most of them no longer run
        }
        Peer known = peers.computeIfAbsent(peer, _ -> new Peer(maxCalls));
        if (System.nanoTime() - known.awayUntilNs < 0) {
            meters.notMade();
            throw new PeerAwayException(peer + " was away a moment ago");
        }
        if (!known.permits.tryAcquire()) {
            meters.notMade();
            throw new PeerAwayException(maxCalls + " calls to " + peer + " are under way");
        }
        return known;
    }

    private <T> HttpResponse<T> send(String peer, Peer known, Call call, BodyHandler<T> body, Duration timeout)
            throws PeerAwayException {
        String method = call.body() == null ? "GET" : "POST";
        long startedNs = System.nanoTime();
        Span span = tracing.calling(method, peer);
        try {
            HttpResponse<T> answer = send(peer, known, request(peer, method, call, span), body, timeout, startedNs);
            span.answered(null, answer.statusCode());
            expectUsable(peer, answer, startedNs);
            return answer;
        } catch (PeerAwayException e) {
            span.failed(e);
            throw e;
        } finally {
            span.close();
        }
    }

    private HttpRequest request(String peer, String method, Call call, Span span) {
        var request = HttpRequest.newBuilder(URI.create(scheme + "://" + peer + call.path()))
                .header(PeerCalls.KEY, key.text());
        call.headers().forEach(request::header);
        String traceparent = span.traceparent();
        if (traceparent != null) {
            request.setHeader(TRACEPARENT, traceparent);
        }
        return request.method(
                        method, call.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(call.body()))
                .build();
    }

    private <T> HttpResponse<T> send(
            String peer, Peer known, HttpRequest request, BodyHandler<T> body, Duration timeout, long startedNs)
            throws PeerAwayException {
        try {
            return client.send(request, body, timeout);
        } catch (IOException e) {
            meters.ended(Outcome.AWAY, startedNs);
            throw away(peer, known, e.toString());
        } catch (TimeoutException _) {
            meters.ended(Outcome.AWAY, startedNs);
            if (timeout.compareTo(TIMEOUT) > 0) {
                // The peer may still answer usual calls in time.
                throw new PeerAwayException(peer + " has not answered within " + timeout.toMillis() + " ms");
            }
            throw away(peer, known, "no answer within " + timeout.toMillis() + " ms");
        } catch (InterruptedException _) {
            meters.ended(Outcome.AWAY, startedNs);
            Thread.currentThread().interrupt();
            throw new PeerAwayException("interrupted while waiting for " + peer);
        }
    }

    private <T> void expectUsable(String peer, HttpResponse<T> answer, long startedNs) throws PeerAwayException {
        boolean isRefused = answer.headers().firstValue(PeerCalls.KEY).isPresent();
        if (isRefused) {
            LOG.error("{} refuses the peer key; all processes must be started with the same admin key", peer);
        }
        if (!isRefused && answer.statusCode() != BUSY) {
            meters.ended(Outcome.ANSWERED, startedNs);
            return;
        }
        meters.ended(isRefused ? Outcome.REFUSED : Outcome.NOT_READY, startedNs);
        if (answer.body() instanceof InputStream rest) {
            close(rest);
        }
        throw new PeerAwayException(peer + " cannot answer this now");
    }

    private static PeerAwayException away(String peer, Peer known, String reason) {
        known.awayUntilNs = System.nanoTime() + AWAY_NS;
        LOG.warn("{} is away and is not called for 1 s: {}", peer, reason);
        return new PeerAwayException(peer + " is away");
    }

    @Override
    public void close() {
        client.close();
    }

    /** A peer does not respond in time, or cannot answer now. Has no stack trace, because this is usual. */
    public static final class PeerAwayException extends Exception {

        PeerAwayException(String message) {
            super(message, null, false, false);
        }
    }

    /** Meters of the calls of this process to others, by outcome and duration. One instance per process; thread-safe. */
    public static final class PeerMeters implements AutoCloseable {

        private static final MeterName CALLS =
                MeterName.of("laurel.peer.calls", "Calls of this process to others of the deployment, by outcome.");
        private static final MeterName DURATION = MeterName.ofSeconds(
                "laurel.peer.call.duration",
                "Duration of these calls until the answer or the timeout. Calls that were not made do not count.");

        /** A call takes one or two milliseconds. It times out after 2 s, or after 20 s if it reads every user. */
        private static final Duration[] BUCKETS = Stream.of(
                        1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 20_000)
                .map(Duration::ofMillis)
                .toArray(Duration[]::new);

        private final MeterScope meters;
        private final Map<Outcome, Counter> calls = new EnumMap<>(Outcome.class);
        private final Timer duration;

        /** The outcome of a call. */
        enum Outcome {
            /** The peer sent any response, such as 404 for an unknown user. */
            ANSWERED,
            /** The peer cannot answer now: 503. */
            NOT_READY,
            /** The peer was started with another admin key. */
            REFUSED,
            /** No connection, or no response in time. */
            AWAY,
            /** No call was made, because the peer was away a moment ago or too many calls to it are under way. */
            NOT_MADE
        }

        public PeerMeters(Metrics metrics) {
            this.meters = metrics.scope();
            for (Outcome outcome : Outcome.values()) {
                calls.put(outcome, meters.counter(CALLS, Tags.of("outcome", IssueList.word(outcome))));
            }
            this.duration = meters.timer(DURATION, Tags.empty(), BUCKETS);
        }

        void ended(Outcome outcome, long startedNs) {
            counter(outcome).increment();
            duration.record(Duration.ofNanos(System.nanoTime() - startedNs));
        }

        void notMade() {
            counter(Outcome.NOT_MADE).increment();
        }

        private Counter counter(Outcome outcome) {
            return Objects.requireNonNull(calls.get(outcome));
        }

        @Override
        public void close() {
            meters.close();
        }
    }
}
