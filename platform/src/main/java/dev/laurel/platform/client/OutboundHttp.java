package dev.laurel.platform.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import nl.altindag.ssl.SSLFactory;
import nl.altindag.ssl.pem.util.PemUtils;
import org.jspecify.annotations.Nullable;

/**
 * Calls other processes, providers of sign-in and push services, all at addresses of the operator: each call has a limit of time and each
 * answer one of size, and redirects are not followed. Webhooks, whose addresses tenants give, need a client that can be told which address
 * to connect to. Thread-safe; a call blocks its thread, which should be a virtual one.
 */
public final class OutboundHttp implements AutoCloseable {

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    /** @param version the highest to use @param tls null: trusts the authorities of this JDK */
    public OutboundHttp(HttpClient.Version version, Duration connectTimeout, @Nullable SSLContext tls) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(version)
                .connectTimeout(connectTimeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(threads);
        this.client = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /** Returns a whole answer. @param maxBytes of its body @throws TimeoutException if its end does not arrive in time */
    public HttpResponse<byte[]> send(HttpRequest request, long maxBytes, Duration timeout)
            throws IOException, TimeoutException, InterruptedException {
        return send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes), timeout);
    }

    /**
     * Returns an answer when its body is complete, or when a body that is a stream begins.
     *
     * @throws TimeoutException if that takes longer
     */
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body, Duration timeout)
            throws IOException, TimeoutException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof UnresolvedAddressException) {
                throw new ConnectException(request.uri().getHost() + " is not known");
            }
            throw new IllegalStateException("a request that cannot be made: " + request.uri(), e.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    /** Closes the connections: requests in flight end as if the connection were lost. */
    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }

    /**
     * A context for calls of a process to itself: trusts only a server with exactly this certificate, under any host
     * name.
     *
     * @param file the server's certificate, PEM; read once
     * @throws IllegalArgumentException if the file cannot be used; the message gives the reason in one line
     */
    public static SSLContext trustingOnly(Path file) {
        return context(file, certificates -> {
            X509Certificate own = certificates.getFirst();
            return SSLFactory.builder()
                    .withTrustMaterial(List.of(own))
                    .withTrustEnhancer(server -> own.equals(server.getChain()[0]));
        });
    }

    /**
     * A context that trusts only servers whose certificates these authorities have issued.
     *
     * @param file PEM file with the certificates of the authorities; read once
     * @throws IllegalArgumentException if the file cannot be used; the message gives the reason in one line
     */
    public static SSLContext trusting(Path file) {
        return context(file, certificates -> SSLFactory.builder().withTrustMaterial(certificates));
    }

    /** Whether a host is {@code localhost} or a loopback address. Names are not resolved. */
    public static boolean isLoopback(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static SSLContext context(Path file, Function<List<X509Certificate>, SSLFactory.Builder> trust) {
        try {
            return trust.apply(PemUtils.loadCertificate(file)).build().getSslContext();
        } catch (RuntimeException e) {
            // The library throws various runtime exceptions for files that are missing or not valid PEM.
            throw new IllegalArgumentException("there are no certificates (PEM) in " + file, e);
        }
    }
}
