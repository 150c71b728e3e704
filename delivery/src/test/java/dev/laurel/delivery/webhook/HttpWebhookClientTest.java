package dev.laurel.delivery.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.platform.http.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpWebhookClientTest {

    private static final byte[] BODY = "{\"type\":\"streak.lost\"}".getBytes(UTF_8);
    private static final UUID ID = UUID.fromString("01234567-89ab-8def-8123-456789abcdef");

    /** A request that the server has received. */
    private record Received(String method, String path, Headers headers, byte[] body, int port) {}

    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile int status = 200;
    private volatile int answerBytes;
    private volatile boolean isSilent;
    private HttpServer server;
    private final HttpWebhookClient poster =
            new HttpWebhookClient(new AddressGuard(true), "0.1.0", Duration.ofSeconds(20));

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                received.add(new Received(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath(),
                        exchange.getRequestHeaders(),
                        exchange.getRequestBody().readAllBytes(),
                        exchange.getRemoteAddress().getPort()));
                if (isSilent) {
                    end.await();
                }
                exchange.getResponseHeaders().add("Location", "/elsewhere");
                exchange.getResponseHeaders().add("Retry-After", "0");
                exchange.sendResponseHeaders(status, answerBytes == 0 ? -1 : answerBytes);
                exchange.getResponseBody().write(new byte[answerBytes]);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        poster.close();
        server.stop(0);
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private Outcome post(String url) throws InterruptedException {
        return poster.post(new WebhookTargets.Target(url, "whsec_demo", ""), new WebhookRequest(ID, 2, BODY));
    }

    @Test
    void shouldPostTheBodyWithItsSignature() throws InterruptedException {
        var answer = assertInstanceOf(Outcome.Answered.class, post(url("/hook")));

        assertEquals(200, answer.status());
        assertNull(answer.error());
        Received request = received.take();
        assertEquals("POST", request.method());
        assertEquals("/hook", request.path());
        assertEquals(new String(BODY, UTF_8), new String(request.body(), UTF_8));
        Map.of(
                        "Content-Type",
                        "application/json",
                        "User-Agent",
                        "Laurel/0.1.0",
                        "X-Trophy-Signature",
                        "EIymJVd8EEFonaZ28ZF8Yc1nKonjWMbDGoHs+FtRnPU=",
                        "X-Trophy-Webhook-Id",
                        ID.toString(),
                        "X-Trophy-Webhook-Attempt",
                        "2")
                .forEach((name, value) -> assertEquals(value, request.headers().getFirst(name), name));
        assertNull(request.headers().getFirst("Tenant-ID"));
    }

    @ParameterizedTest
    @CsvSource({"acme, acme", "'Käse & Söhne', UTF-8''K%C3%A4se%20%26%20S%C3%B6hne", "'two\nlines', UTF-8''two%0Alines"
    })
    void shouldNameTheTenant(String tenant, String sent) throws InterruptedException {
        poster.post(new WebhookTargets.Target(url("/"), "whsec_demo", tenant), new WebhookRequest(ID, 1, BODY));

        assertEquals(sent, received.take().headers().getFirst("Tenant-ID"));
    }

    @Test
    void shouldFollowNoRedirect() throws InterruptedException {
        status = 302;

        var answer = assertInstanceOf(Outcome.Answered.class, post(url("/hook")));

        assertEquals(302, answer.status());
        assertFalse(answer.isSuccess());
        assertEquals("redirects are not followed", answer.error());
        assertEquals(1, received.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 204, 299})
    void shouldTreatAStatusOf2xxAsSuccess(int any) throws InterruptedException {
        status = any;

        assertTrue(assertInstanceOf(Outcome.Answered.class, post(url("/"))).isSuccess());
    }

    @ParameterizedTest
    @ValueSource(ints = {304, 400, 401, 404, 407, 408, 421, 500, 503})
    void shouldTreatOtherStatusesAsFailureAndNotRepeatTheRequest(int any) throws InterruptedException {
        status = any;

        var answer = assertInstanceOf(Outcome.Answered.class, post(url("/")));
        assertEquals(any, answer.status());
        assertFalse(answer.isSuccess());
        assertEquals(1, received.size());
    }

    /** The protocol forbids a body in such a response, but many servers send one. */
    @ParameterizedTest
    @ValueSource(ints = {204, 205})
    void shouldTreatAForbiddenBodyOfASuccessAsSuccess(int any) throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.ofVirtual().start(() -> {
                try (var connection = socket.accept()) {
                    connection.getInputStream().read(new byte[8 * 1024]);
                    connection
                            .getOutputStream()
                            .write(("HTTP/1.1 " + any + " Done\r\nContent-Length: 2\r\n\r\nok").getBytes(ISO_8859_1));
                    connection.getOutputStream().flush();
                    connection.getInputStream().readAllBytes();
                } catch (IOException _) {
                    // The client may close the connection at any time.
                }
            });

            Outcome outcome = post("http://127.0.0.1:" + socket.getLocalPort() + "/");

            assertEquals(
                    any,
                    assertInstanceOf(Outcome.Answered.class, outcome, outcome.toString())
                            .status());
            assertTrue(((Outcome.Answered) outcome).isSuccess());
            answering.join();
        }
    }

    @Test
    void shouldReuseTheConnection() throws InterruptedException {
        answerBytes = 10;
        post(url("/"));
        post(url("/"));

        assertEquals(received.take().port(), received.take().port());
    }

    @Test
    void shouldNotReadAllOfALongAnswer() throws InterruptedException {
        answerBytes = 8 * 1024 * 1024;

        assertEquals(
                200, assertInstanceOf(Outcome.Answered.class, post(url("/"))).status());
        answerBytes = 0;
        post(url("/"));
        assertTrue(received.take().port() != received.take().port(), "the rest of the answer was read");
    }

    @Test
    void shouldTimeOut() throws InterruptedException {
        isSilent = true;

        try (var hasty = new HttpWebhookClient(new AddressGuard(true), "0.1.0", Duration.ofSeconds(1))) {
            var none = assertInstanceOf(
                    Outcome.NoAnswer.class,
                    hasty.post(new WebhookTargets.Target(url("/"), "whsec_demo", ""), new WebhookRequest(ID, 2, BODY)));

            assertTrue(none.error().startsWith("no answer within"), none.error());
            assertTrue(none.durationMs() >= 900, none.durationMs() + " ms");
        }
    }

    @Test
    void shouldReportARefusedConnection() throws IOException, InterruptedException {
        int port = TestServer.unusedPort();

        var none = assertInstanceOf(Outcome.NoAnswer.class, post("http://127.0.0.1:" + port));
        assertTrue(none.error().startsWith("cannot connect"), none.error());
    }

    /** The check applies to the address of the connection, in any notation. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "localhost",
                "127.1",
                "2130706433",
                "0.0.0.0",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "[0:0:0:0:0:ffff:7f00:1]",
                "LOCALHOST."
            })
    void shouldNotConnectToAddressesThatAreNotPublic(String host) throws InterruptedException {
        try (var guarded = new HttpWebhookClient(new AddressGuard(false), "0.1.0", Duration.ofSeconds(1))) {
            Outcome outcome = guarded.post(
                    new WebhookTargets.Target(
                            "http://" + host + ":" + server.getAddress().getPort() + "/", "whsec_demo", ""),
                    new WebhookRequest(ID, 1, BODY));

            var none = assertInstanceOf(Outcome.NoAnswer.class, outcome);
            assertTrue(none.error().contains("is not public") || none.error().contains("not known"), none.error());
            assertEquals(0, received.size());
        }
    }

    @Test
    void shouldStopWhenInterrupted() throws Exception {
        isSilent = true;
        var cut = new CompletableFuture<Boolean>();
        Thread attempt = Thread.ofVirtual().start(() -> {
            try {
                post(url("/"));
                cut.complete(false);
            } catch (InterruptedException _) {
                cut.complete(true);
            }
        });
        assertEquals("/", received.poll(5, TimeUnit.SECONDS).path());
        attempt.interrupt();

        assertTrue(cut.get(5, TimeUnit.SECONDS));
    }

    /** The example of docs/webhooks.md §1. */
    @Test
    void shouldSignAsDocumented() {
        assertEquals(
                "EIymJVd8EEFonaZ28ZF8Yc1nKonjWMbDGoHs+FtRnPU=",
                HttpWebhookClient.sign("whsec_demo", "{\"type\":\"streak.lost\"}".getBytes(UTF_8)));
    }
}
