package dev.laurel.delivery.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import okhttp3.OkHttpClient;

/** Google's token endpoint, FCM and Expo on one port, over HTTP/2 and TLS. */
final class WebStandIn implements AutoCloseable {

    static final String TOKENS = "/token";
    static final String FCM = "/v1/projects/swim-club/messages:send";
    static final String EXPO = "/--/api/v2/push/send";

    /** Strong references, so that the levels of the loggers stay. */
    private static final List<Logger> TALK =
            List.of(Logger.getLogger(MockWebServer.class.getName()), Logger.getLogger(OkHttpClient.class.getName()));

    private final CountDownLatch over = new CountDownLatch(1);
    private final MockWebServer server = new MockWebServer();
    private final Map<String, Function<RecordedRequest, MockResponse>> answers = new ConcurrentHashMap<>();
    private final Map<String, List<RecordedRequest>> requests = new ConcurrentHashMap<>();

    WebStandIn() {
        TALK.forEach(logger -> logger.setLevel(Level.WARNING));
        server.useHttps(PushKeys.HANDSHAKE.sslSocketFactory());
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                requestsTo(request.getTarget()).add(request);
                var answer = answers.get(request.getTarget());
                return answer == null ? response(404, Map.of()) : answer.apply(request);
            }
        });
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answer(
                TOKENS,
                _ -> response(
                        200,
                        Map.of(
                                "access_token",
                                "ya29." + requestsTo(TOKENS).size(),
                                "expires_in",
                                3600,
                                "token_type",
                                "Bearer")));
        answer(FCM, _ -> response(200, Map.of("name", "projects/swim-club/messages/1")));
        answer(
                EXPO,
                request -> response(
                        200,
                        Map.of(
                                "data",
                                bodies(request).stream()
                                        .map(_ -> Map.of("status", "ok", "id", "ticket"))
                                        .toList())));
    }

    void answer(String path, Function<RecordedRequest, MockResponse> answer) {
        answers.put(path, answer);
    }

    /** Answers only when the stand-in closes. */
    void stall(String path) {
        answer(path, _ -> {
            try {
                over.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return response(503, Map.of());
        });
    }

    /** Closes the connection during the answer. */
    void hangUp(String path) {
        answer(
                path,
                _ -> new MockResponse.Builder()
                        .body("x".repeat(10_000))
                        .onResponseBody(new SocketEffect.CloseSocket())
                        .build());
    }

    List<RecordedRequest> requestsTo(String path) {
        return requests.computeIfAbsent(path, _ -> new CopyOnWriteArrayList<>());
    }

    URI at(String path) {
        return URI.create("https://localhost:" + server.getPort() + path);
    }

    static MockResponse response(int status, Object body) {
        return new MockResponse.Builder()
                .code(status)
                .body(new String(Json.write(body), UTF_8))
                .build();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> body(RecordedRequest request) {
        return (Map<String, Object>) Json.read(request.getBody().toByteArray(), Map.class);
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> bodies(RecordedRequest request) {
        return (List<Map<String, Object>>) Json.read(request.getBody().toByteArray(), List.class);
    }

    /** The token that a request to FCM is for. */
    static String deviceToken(RecordedRequest request) {
        return (String) ((Map<?, ?>) body(request).get("message")).get("token");
    }

    @Override
    public void close() {
        over.countDown();
        server.close();
    }
}
