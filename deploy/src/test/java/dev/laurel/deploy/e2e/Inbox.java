package dev.laurel.deploy.e2e;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.UTF_8;

/** An operator's system that webhooks are sent to: keeps what comes, and answers as a test wants. Thread-safe. */
final class Inbox implements AutoCloseable {

    /** @param body as it came, byte for byte */
    record Delivery(String id, int attempt, String signature, String tenant, String body) {

        JsonNode json() {
            return Answer.parse(body);
        }

        String type() {
            return json().path("type").asString();
        }
    }

    private final HttpServer server;
    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    private volatile Function<Delivery, Integer> status = _ -> 200;

    private Inbox(HttpServer server) {
        this.server = server;
    }

    static Inbox open() {
        try {
            var inbox = new Inbox(
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
            inbox.start();
            return inbox;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void start() {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                var headers = exchange.getRequestHeaders();
                var delivery = new Delivery(headers.getFirst("X-Trophy-Webhook-Id"),
                        Integer.parseInt(headers.getFirst("X-Trophy-Webhook-Attempt")),
                        headers.getFirst("X-Trophy-Signature"), headers.getFirst("Tenant-ID"),
                        new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                deliveries.add(delivery);
                exchange.sendResponseHeaders(status.apply(delivery), -1);
            }
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    /** What it answers from now on. */
    void answers(Function<Delivery, Integer> to) {
        status = to;
    }

    /** In the order in which they came. */
    List<Delivery> deliveries() {
        return List.copyOf(deliveries);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
