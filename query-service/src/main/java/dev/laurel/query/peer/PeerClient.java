package dev.laurel.query.peer;

import dev.laurel.query.peer.PeerMeters.Outcome;
import dev.laurel.schemas.access.PeerKey;
import dev.laurel.schemas.http.PeerCalls;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.trace.Span;
import dev.laurel.schemas.trace.Tracing;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls other nodes: by connections of its own, so many at a time to each, and each for so long at most, so that one that
 * hangs holds up nobody but those who need it, and them not for long. Who has just been found away is not called for a
 * second. Thread-safe; a call blocks its thread, which is to be a virtual one.
 *
 * <p>It is the JDK's client because that sends paths as they are: an id of a user may be {@code ..}, in any spelling, which
 * others resolve.
 */
public final class PeerClient implements AutoCloseable {

    /** How long a peer may take. */
    public static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PeerClient.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final long AWAY_NS = Duration.ofSeconds(1).toNanos();
    private static final int MAX_UNDER_WAY = 256;
    private static final int MAX_PEERS = 10_000;

    /** A hundred times what a page of anything has. */
    private static final long MAX_ANSWER_BYTES = 64L * 1024 * 1024;
    private static final int BUSY = 503;
    private static final String TRACEPARENT = "traceparent";

    private final HttpClient client;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final PeerKey key;
    private final String scheme;
    private final PeerMeters meters;
    private final Tracing tracing;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();

    private static final class Peer {
        private final Semaphore places = new Semaphore(MAX_UNDER_WAY);
        private volatile long awayUntilNs = System.nanoTime();
    }

    /** What to ask a peer for. @param path with the query, as it is sent; @param body null: it is a GET */
    public record Call(String path, Map<String, String> headers, byte[] body) {}

    /** One whose calls are counted nowhere, and that follows none. @param tls how peers are reached; null: in the clear */
    public PeerClient(PeerKey key, SSLContext tls) {
        this(key, tls, new PeerMeters(new Metrics()), Tracing.NONE);
    }

    /**
     * @param tls how peers are reached, and by whom they must be vouched for under the name by which they are called; null: in
     *        the clear
     * @param meters of this process; stay the caller's to close
     * @param tracing follows calls that are part of what it follows
     */
    public PeerClient(PeerKey key, SSLContext tls, PeerMeters meters, Tracing tracing) {
        this.key = key;
        this.meters = meters;
        this.tracing = tracing;
        this.scheme = tls == null ? "http" : "https";
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT).followRedirects(HttpClient.Redirect.NEVER).executor(threads);
        this.client = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /**
     * Calls a peer and waits for the whole answer.
     *
     * @param peer host:port
     * @throws PeerAwayException also if it answers 503, or that it does not know us
     */
    public HttpResponse<byte[]> call(String peer, Call call, Duration timeout) throws PeerAwayException {
        Peer known = expectThere(peer);
        try {
            return send(peer, known, call, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES),
                    timeout);
        } finally {
            known.places.release();
        }
    }

    /** A task for another thread whose calls are part of what this thread is about. */
    <T> Supplier<T> carrying(Supplier<T> task) {
        return tracing.carrying(task);
    }

    /** Takes the body of an answer while it comes in. */
    public interface Reader {

        void read(HttpResponse<InputStream> answer) throws IOException;
    }

    /**
     * Calls a peer and hands over the answer as soon as it begins.
     *
     * @param timeout until then
     * @param whole until the end of the body: it breaks off there
     */
    public void stream(String peer, Call call, Duration timeout, Duration whole, Reader reader)
            throws PeerAwayException, IOException {
        Peer known = expectThere(peer);
        try {
            HttpResponse<InputStream> answer = send(peer, known, call, BodyHandlers.ofInputStream(), timeout);
            try (InputStream body = answer.body()) {
                CompletableFuture<Void> limit = CompletableFuture.runAsync(() -> close(body),
                        CompletableFuture.delayedExecutor(whole.toMillis(), TimeUnit.MILLISECONDS, threads));
                try {
                    reader.read(answer);
                } finally {
                    limit.cancel(false);
                }
            }
        } finally {
            known.places.release();
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            LOG.debug("an answer that took too long did not end cleanly", e);
        }
    }

    /** One place is taken then. */
    private Peer expectThere(String peer) throws PeerAwayException {
        if (peers.size() >= MAX_PEERS) {
            peers.clear(); // so many there never are at once: those who were
        }
        Peer known = peers.computeIfAbsent(peer, _ -> new Peer());
        if (System.nanoTime() - known.awayUntilNs < 0) {
            meters.notMade();
            throw new PeerAwayException(peer + " was away a moment ago");
        }
        if (!known.places.tryAcquire()) {
            meters.notMade();
            throw new PeerAwayException(MAX_UNDER_WAY + " calls to " + peer + " are under way");
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
        return request.method(method,
                call.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(call.body())).build();
    }

    private <T> HttpResponse<T> send(String peer, Peer known, HttpRequest request, BodyHandler<T> body,
            Duration timeout, long startedNs) throws PeerAwayException {
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            meters.ended(Outcome.AWAY, startedNs);
            throw away(peer, known, String.valueOf(e.getCause()));
        } catch (TimeoutException _) {
            answer.cancel(true);
            meters.ended(Outcome.AWAY, startedNs);
            if (timeout.compareTo(TIMEOUT) > 0) {
                // It was asked for something large: that says nothing about what else it can answer.
                throw new PeerAwayException(peer + " has not answered within " + timeout.toMillis() + " ms");
            }
            throw away(peer, known, "no answer within " + timeout.toMillis() + " ms");
        } catch (InterruptedException _) {
            answer.cancel(true);
            meters.ended(Outcome.AWAY, startedNs);
            Thread.currentThread().interrupt();
            throw new PeerAwayException("interrupted while waiting for " + peer);
        }
    }

    private <T> void expectUsable(String peer, HttpResponse<T> answer, long startedNs) throws PeerAwayException {
        boolean isStranger = answer.headers().firstValue(PeerCalls.KEY).isPresent();
        if (isStranger) {
            LOG.error("{} does not take our peer key: all processes must be started with the same admin key", peer);
        }
        if (!isStranger && answer.statusCode() != BUSY) {
            meters.ended(Outcome.ANSWERED, startedNs);
            return;
        }
        meters.ended(isStranger ? Outcome.REFUSED : Outcome.NOT_READY, startedNs);
        if (answer.body() instanceof InputStream rest) {
            close(rest);
        }
        throw new PeerAwayException(peer + " cannot answer this now");
    }

    private static PeerAwayException away(String peer, Peer known, String reason) {
        known.awayUntilNs = System.nanoTime() + AWAY_NS;
        LOG.warn("{} is away: {}", peer, reason);
        return new PeerAwayException(peer + " is away");
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
