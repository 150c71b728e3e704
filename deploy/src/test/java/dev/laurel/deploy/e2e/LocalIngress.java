package dev.laurel.deploy.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.deploy.artifacts.IngressRules;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Replaces HAProxy: applies the rules of its configuration, uses the servers of a backend in turn, and tries another
 * one only if nothing was sent. Does not keep connections and does not check health.
 */
final class LocalIngress implements AutoCloseable {

    private static final byte[] NO_ROUTE = "{\"error\":\"Not found\"}".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NO_SERVER =
            "{\"error\":\"No server can answer at the moment\"}".getBytes(StandardCharsets.UTF_8);
    private static final Duration TIMEOUT = Duration.ofSeconds(45);

    /** Headers that concern a connection, not a message. */
    private static final Set<String> OF_THE_HOP = Set.of(
            "connection", "content-length", "host", "transfer-encoding", "upgrade", "expect", "keep-alive", "date");

    private final IngressRules rules = IngressRules.read();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger turn = new AtomicInteger();
    private final Function<String, List<URI>> servers;
    private final HttpServer server;

    private LocalIngress(Function<String, List<URI>> servers) throws IOException {
        this.servers = servers;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
    }

    /** @param servers of each backend */
    static LocalIngress start(Function<String, List<URI>> servers) throws IOException {
        var ingress = new LocalIngress(servers);
        ingress.server.start();
        return ingress;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional<String> backend = rules.backend(
                    exchange.getRequestMethod(), exchange.getRequestURI().getRawPath());
            if (backend.isEmpty()) {
                answer(exchange, 404, NO_ROUTE);
                return;
            }
            byte[] body = exchange.getRequestBody().readAllBytes();
            List<URI> candidates = servers.apply(backend.get());
            for (int tried = 0; tried < candidates.size(); tried++) {
                URI candidate = candidates.get(Math.floorMod(turn.getAndIncrement(), candidates.size()));
                try {
                    pass(exchange, client.send(request(exchange, candidate, body), BodyHandlers.ofByteArray()));
                    return;
                } catch (ConnectException _) {
                    // Nothing was sent, so the next server is tried.
                }
            }
            answer(exchange, 503, NO_SERVER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static HttpRequest request(HttpExchange exchange, URI to, byte[] body) {
        var request = HttpRequest.newBuilder(
                        URI.create(to + exchange.getRequestURI().toString()))
                .timeout(TIMEOUT)
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!OF_THE_HOP.contains(lower) && !lower.startsWith("x-laurel-")) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private static void pass(HttpExchange exchange, HttpResponse<byte[]> response) throws IOException {
        response.headers().map().forEach((name, values) -> {
            if (!OF_THE_HOP.contains(name) && !name.startsWith(":")) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        send(exchange, response.statusCode(), response.body());
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("X-Request-Id", UUID.randomUUID().toString());
        send(exchange, status, body);
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean isBare = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isBare ? -1 : body.length);
        if (!isBare) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
        client.close();
    }
}
