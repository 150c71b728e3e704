package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.deploy.openapi.OpenApiDocument;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;

/** The receiver of a webhook: records requests and responds as the test says. */
final class WebhookReceiver implements AutoCloseable {

    private static final long PATIENCE_S = 60;

    /** One request. @param headers by name in any case */
    record Received(String method, Map<String, String> headers, byte[] body) {

        JsonNode json() {
            return JsonResponse.parse(new String(body, UTF_8));
        }

        String type() {
            return json().get("type").stringValue();
        }

        String header(String name) {
            return headers.get(name);
        }

        /** Returns whether the request was signed with this secret (docs/webhooks.md §1). */
        boolean isSignedWith(String secret) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
                return Base64.getEncoder().encodeToString(mac.doFinal(body)).equals(header("X-Trophy-Signature"));
            } catch (java.security.GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private volatile int status = 200;

    WebhookReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join(",", values)));
            received.add(new Received(
                    exchange.getRequestMethod(),
                    headers,
                    exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(status, -1);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    /** Changes the responses from now on. */
    void answerWith(int otherStatus) {
        status = otherStatus;
    }

    /** Waits for the next request, whose body must be as the OpenAPI document says. */
    Received next() throws InterruptedException {
        Received next = received.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertNotNull(next, "nothing was sent");
        assertEquals(List.of(), OpenApiDocument.APPLICATION.checkPayload(next.type(), next.json()));
        return next;
    }

    /** Returns the number of requests that were not read yet. */
    int waiting() {
        return received.size();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
