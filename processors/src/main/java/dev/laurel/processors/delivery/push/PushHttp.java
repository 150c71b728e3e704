package dev.laurel.processors.delivery.push;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

/**
 * Requests to services of the web, over HTTP/2 where they speak it. The client of the JDK never repeats a POST of which
 * the service may have seen something. Thread-safe; it connects to nobody before the first request, and has no thread either.
 */
final class PushHttp implements AutoCloseable {

    /** Below what services allow on a connection (100 at Google): the JDK's client fails a request beyond that. */
    private static final int MAX_UNDER_WAY = 64;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_ANSWER_BYTES = 256 * 1024;

    private final Duration timeout;
    private final X509Certificate trusted;
    /** By host, of which there are as many as services. */
    private final Map<String, PushPlaces> places = new ConcurrentHashMap<>();
    private HttpClient client;
    private boolean isClosed;

    /** @param trusted see {@link PushEndpoints} */
    PushHttp(X509Certificate trusted, Duration timeout) {
        this.trusted = trusted;
        this.timeout = timeout;
    }

    HttpAnswer postJson(TenantId tenant, URI uri, String bearer, Object body) throws InterruptedException {
        return post(tenant, uri, HttpRequest.newBuilder(uri).header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + bearer).POST(BodyPublishers.ofByteArray(Json.write(body))));
    }

    HttpAnswer postForm(TenantId tenant, URI uri, String form) throws InterruptedException {
        return post(tenant, uri, HttpRequest.newBuilder(uri).header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    private HttpAnswer post(TenantId tenant, URI uri, HttpRequest.Builder request) throws InterruptedException {
        PushPlaces there = places.computeIfAbsent(uri.getHost(), _ -> new PushPlaces(MAX_UNDER_WAY));
        if (!there.take(tenant, timeout)) {
            return new HttpAnswer.NotReached("too many requests are under way");
        }
        try {
            HttpClient open = client();
            return open == null
                    ? new HttpAnswer.NotReached("this process is being stopped")
                    : exchange(open, request.header("Accept", "application/json").timeout(timeout).build());
        } finally {
            there.giveBack(tenant);
        }
    }

    /** The timeout of the request ends with the head of the answer; that of the future is for its body. */
    private HttpAnswer exchange(HttpClient open, HttpRequest request) throws InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer = open.sendAsync(request,
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
        try {
            HttpResponse<byte[]> response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new HttpAnswer.Answered(response.statusCode(), objectIn(response.body()));
        } catch (ExecutionException e) {
            return failure(request.uri(), e.getCause());
        } catch (TimeoutException _) {
            // A connection is refused or made sooner than that.
            return new HttpAnswer.NoAnswer(request.uri().getHost() + " does not answer in time");
        } finally {
            answer.cancel(true);
        }
    }

    private static HttpAnswer failure(URI uri, Throwable cause) {
        String reason = uri.getHost() + ": " + cause.getClass().getSimpleName();
        return switch (cause) {
            case ConnectException _,HttpConnectTimeoutException _,NoRouteToHostException _,UnknownHostException _,UnresolvedAddressException _,SSLHandshakeException _ ->
                new HttpAnswer.NotReached(reason);
            case IOException _ -> new HttpAnswer.NoAnswer(reason);
            default -> throw new IllegalStateException("a request that cannot be made: " + uri, cause);
        };
    }

    private static Map<String, Object> objectIn(byte[] body) {
        try {
            return Json.readForeignObject(body);
        } catch (BadInputException _) {
            return Map.of();
        }
    }

    /** Null once closed. */
    private synchronized HttpClient client() {
        if (client == null && !isClosed) {
            HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT)
                    .executor(Executors.newVirtualThreadPerTaskExecutor());
            if (trusted != null) {
                builder.sslContext(trusting(trusted));
            }
            client = builder.build();
        }
        return isClosed ? null : client;
    }

    private static SSLContext trusting(X509Certificate certificate) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("trusted", certificate);
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("a certificate that cannot be trusted", e);
        }
    }

    /** What is under way ends as if the connection were lost. */
    @Override
    public synchronized void close() {
        isClosed = true;
        if (client != null) {
            client.shutdownNow();
        }
    }
}
