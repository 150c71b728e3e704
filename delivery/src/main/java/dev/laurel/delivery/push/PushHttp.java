package dev.laurel.delivery.push;

import dev.laurel.delivery.push.PushService.TokenResult;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Sends requests to push services, over HTTP/2 if they support it. The JDK's client never repeats a POST that the service may have
 * received. Thread-safe; opens connections and starts threads with the first request.
 */
final class PushHttp implements AutoCloseable {

    /** Fewer than the services allow on a connection (Google: 100): beyond that, requests of the JDK's client fail. */
    private static final int MAX_IN_FLIGHT = 64;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_ANSWER_BYTES = 256 * 1024;

    private final Duration timeout;
    private final @Nullable SSLContext tls;
    /** Permits by host, which is one for each service. */
    private final Map<String, RequestPermits> permits = new ConcurrentHashMap<>();
    /** Null before the first request. */
    private @Nullable OutboundHttp client;

    private boolean isClosed;

    /** @param tls see {@link PushEndpoints} */
    PushHttp(@Nullable SSLContext tls, Duration timeout) {
        this.tls = tls;
        this.timeout = timeout;
    }

    private Response post(TenantId tenant, HttpRequest.Builder request, URI uri) throws InterruptedException {
        RequestPermits ofHost = permits.computeIfAbsent(uri.getHost(), _ -> new RequestPermits(MAX_IN_FLIGHT));
        if (!ofHost.acquire(tenant, timeout)) {
            return new Response.NoAnswer("too many requests are in progress", false);
        }
        try {
            OutboundHttp open = client();
            return open == null
                    ? new Response.NoAnswer("this process is stopping", false)
                    : exchange(
                            open, request.header("Accept", "application/json").build());
        } finally {
            ofHost.release(tenant);
        }
    }

    private Response exchange(OutboundHttp open, HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<byte[]> response = open.send(request, MAX_ANSWER_BYTES, timeout);
            return new Response.Answered(response.statusCode(), json(response.body()));
        } catch (IOException e) {
            return failure(request.uri(), e);
        } catch (TimeoutException _) {
            // Connecting has a shorter timeout, so the request was sent.
            return new Response.NoAnswer(request.uri().getHost() + " does not answer in time", true);
        }
    }

    private static Response failure(URI uri, IOException cause) {
        String reason = uri.getHost() + ": " + cause.getClass().getSimpleName();
        return new Response.NoAnswer(
                reason,
                switch (cause) {
                    case ConnectException _,
                            HttpConnectTimeoutException _,
                            NoRouteToHostException _,
                            UnknownHostException _,
                            SSLHandshakeException _ -> false;
                    default -> true;
                });
    }

    private static JsonNode json(byte[] body) {
        try {
            return Json.readForeign(body, JsonNode.class);
        } catch (BadInputException _) {
            return MissingNode.getInstance();
        }
    }

    /** Null after the close. */
    private synchronized @Nullable OutboundHttp client() {
        if (client == null && !isClosed) {
            client = new OutboundHttp(HttpClient.Version.HTTP_2, CONNECT_TIMEOUT, tls);
        }
        return isClosed ? null : client;
    }

    /** Closes the connections: requests in flight end as if the connection were lost. */
    @Override
    public synchronized void close() {
        isClosed = true;
        if (client != null) {
            client.close();
        }
    }

    /** The outcome of a request. */
    sealed interface Response {

        /** @param body missing if the response is no JSON */
        record Answered(int status, JsonNode body) implements Response {

            boolean isSuccess() {
                return status >= 200 && status < 300;
            }

            /** Without the body, which may be an access token: this may end up in a log. */
            @Override
            public String toString() {
                return "status " + status;
            }
        }

        /** There was no usable response. @param isSent whether the request may have been sent; otherwise there was no connection */
        record NoAnswer(String reason, boolean isSent) implements Response {

            TokenResult result() {
                return isSent ? new TokenResult.Lost(reason) : new TokenResult.NotSent(reason);
            }
        }
    }

    /** Sends requests of one tenant, which has a share of the permits of each service. Thread-safe. */
    record OfTenant(PushHttp http, TenantId tenant) {

        Response postJson(URI uri, String bearer, Object body) throws InterruptedException {
            return http.post(
                    tenant,
                    HttpRequest.newBuilder(uri)
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer " + bearer)
                            .POST(BodyPublishers.ofByteArray(Json.write(body))),
                    uri);
        }

        Response postForm(URI uri, String form) throws InterruptedException {
            return http.post(
                    tenant,
                    HttpRequest.newBuilder(uri)
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString(form)),
                    uri);
        }
    }

    /**
     * Bounds the requests in flight to a service. The share of a tenant shrinks with the free permits, so that tenants with slow requests
     * leave some to the others. Thread-safe.
     */
    static final class RequestPermits {

        private final int total;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition freed = lock.newCondition();
        private final Map<TenantId, Integer> taken = new HashMap<>();
        private int inFlight;

        RequestPermits(int total) {
            this.total = total;
        }

        /** Waits for a permit, which is then to be released. @return false if none was free in time */
        boolean acquire(TenantId tenant, Duration timeout) throws InterruptedException {
            long leftNs = timeout.toNanos();
            lock.lockInterruptibly();
            try {
                while (!hasRoom(tenant)) {
                    if (leftNs <= 0) {
                        return false;
                    }
                    leftNs = freed.awaitNanos(leftNs);
                }
                taken.merge(tenant, 1, Integer::sum);
                inFlight++;
                return true;
            } finally {
                lock.unlock();
            }
        }

        private boolean hasRoom(TenantId tenant) {
            int free = total - inFlight;
            return free > 0 && taken.getOrDefault(tenant, 0) < Math.max(1, free / 2);
        }

        void release(TenantId tenant) {
            lock.lock();
            try {
                inFlight--;
                taken.computeIfPresent(tenant, (_, count) -> count == 1 ? null : count - 1);
                freed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * The addresses of the push services.
     *
     * @param googleTokens issues access tokens to service accounts; also their audience
     * @param fcm scheme and host of FCM's HTTP v1 API
     * @param apns host and port, not resolved
     * @param expo scheme and host
     * @param trusted certificate of APNs; null: the JDK's trust store
     * @param tls of the other services; null: the JDK's trust store
     * @param timeout of a request
     */
    record PushEndpoints(
            URI googleTokens,
            URI fcm,
            InetSocketAddress apns,
            URI expo,
            @Nullable X509Certificate trusted,
            @Nullable SSLContext tls,
            Duration timeout) {

        /** The real services. */
        static final PushEndpoints REAL = new PushEndpoints(
                URI.create("https://oauth2.googleapis.com/token"),
                URI.create("https://fcm.googleapis.com"),
                InetSocketAddress.createUnresolved("api.push.apple.com", 443),
                URI.create("https://exp.host"),
                null,
                null,
                Duration.ofSeconds(30));
    }
}
