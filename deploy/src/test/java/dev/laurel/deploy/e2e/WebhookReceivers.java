package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.platform.http.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Receivers of webhooks on the loopback address, each with its own path and responses. Thread-safe. */
final class WebhookReceivers implements AutoCloseable {

    /** Receives each request on its own thread. */
    interface Listener {

        void received(String name, int attempt, String body);
    }

    private final HttpServer server;
    private final Listener listener;
    private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
    private final Map<String, Long> delaysMs = new ConcurrentHashMap<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final int deadPort;

    WebhookReceivers(Listener listener) throws IOException {
        this.listener = listener;
        var loopback = InetAddress.getLoopbackAddress();
        deadPort = TestServer.unusedPort();
        server = HttpServer.create(new InetSocketAddress(loopback, 0), 1024);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    String url(String name) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
    }

    /** Returns an address at which no server listens. */
    String deadUrl() {
        return "http://127.0.0.1:" + deadPort + "/";
    }

    void answers(String name, int status) {
        statuses.put(name, status);
    }

    void isSlow(String name, long ms) {
        delaysMs.put(name, ms);
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            String name = exchange.getRequestURI().getPath().substring(1);
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            listener.received(
                    name, Integer.parseInt(exchange.getRequestHeaders().getFirst("X-Trophy-Webhook-Attempt")), body);
            long delayMs = delaysMs.getOrDefault(name, 0L);
            if (delayMs > 0 && end.await(delayMs, TimeUnit.MILLISECONDS)) {
                return;
            }
            int status = statuses.getOrDefault(name, 200);
            if (status == 302) {
                exchange.getResponseHeaders().add("Location", url("elsewhere"));
            }
            exchange.sendResponseHeaders(status, -1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
    }
}
