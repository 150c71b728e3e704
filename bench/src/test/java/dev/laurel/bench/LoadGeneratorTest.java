package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class LoadGeneratorTest {
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final AtomicInteger requests = new AtomicInteger();
    private ExecutorService threads;
    private HttpServer server;
    private LoadGenerator generator;

    @BeforeEach
    void startServer() throws IOException {
        threads = Executors.newVirtualThreadPerTaskExecutor();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
        generator = new LoadGenerator(server.getAddress(), () -> REQUEST);
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
        threads.close();
    }

    @Test
    void shouldSendExactlyTheRequestsOfTheRate() {
        answer(_ -> 200);

        LoadGenerator.Result result = generator.openLoop(500, Duration.ofMillis(400), 8);

        assertEquals(200, result.count());
        assertEquals(200, requests.get());
        assertEquals(Map.of(), result.errors());
        assertTrue(result.elapsedSeconds() >= 0.39, "ended after " + result.elapsedSeconds() + " s");
    }

    @Test
    void shouldCountErrorsByStatusAndTakePendingForAnError() {
        answer(request -> switch (request % 4) {
            case 0 -> 503;
            case 1 -> 202;
            default -> 201;
        });

        LoadGenerator.Result result = generator.openLoop(1_000, Duration.ofMillis(40), 1);

        assertEquals(40, result.count());
        assertEquals(Map.of(503, 10L, 202, 10L), result.errors());
        assertEquals(20, result.errorCount());
    }

    @Test
    void shouldChargeTheWaitForAFreeConnectionToTheLatency() {
        answer(_ -> {
            LockSupport.parkNanos(30_000_000);
            return 200;
        });

        // One connection serves at most 33 of the 100 requests per second: the twentieth is due at 190 ms and
        // answered after 600.
        LoadGenerator.Result result = generator.openLoop(100, Duration.ofMillis(200), 1);

        assertTrue(result.latencyMs().max() >= 400, "max " + result.latencyMs().max() + " ms");
        assertTrue(result.latencyMs().p50() >= 150, "p50 " + result.latencyMs().p50() + " ms");
    }

    @Test
    void shouldKeepEveryConnectionBusyInAClosedLoop() {
        answer(_ -> {
            LockSupport.parkNanos(20_000_000);
            return 200;
        });

        LoadGenerator.Result result = generator.closedLoop(8, Duration.ofMillis(300));

        assertEquals(requests.get(), result.count());
        assertTrue(result.count() >= 8 * 2, result.count() + " requests");
        assertEquals(result.count() / result.elapsedSeconds(), result.eventsPerSecond(), 1e-6);
    }

    @Test
    void shouldCountAServerThatIsNotThere() throws IOException {
        InetSocketAddress nobody;
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = new InetSocketAddress(taken.getInetAddress(), taken.getLocalPort());
        }

        LoadGenerator.Result result = new LoadGenerator(nobody, () -> REQUEST).openLoop(100, Duration.ofMillis(50), 2);

        assertEquals(Map.of(0, 5L), result.errors());
        assertEquals(0, result.eventsPerSecond());
    }

    private interface Answer {
        int status(int request);
    }

    private void answer(Answer answer) {
        HttpHandler handler = exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(answer.status(requests.getAndIncrement()), 5);
                exchange.getResponseBody().write("hello".getBytes(StandardCharsets.US_ASCII));
            }
        };
        server.createContext("/", handler);
    }
}
