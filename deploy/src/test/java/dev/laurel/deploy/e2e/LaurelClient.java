package dev.laurel.deploy.e2e;

import dev.laurel.deploy.openapi.ResponseCheck;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client as an application would write it, without any code of the service. Checks every response against the
 * OpenAPI documents. Thread-safe, except for its builders.
 */
final class LaurelClient implements AutoCloseable {

    /** Longer than the waiting time of the service; hanging requests must fail here instead of blocking the suite. */
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private static final Duration UNSERVED_MAX = Duration.ofMinutes(1);

    private static final ResponseCheck CHECK = new ResponseCheck();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final String key;

    /** @param key null: sends none */
    LaurelClient(String url, String key) {
        this.url = url;
        this.key = key;
    }

    String url() {
        return url;
    }

    LaurelClient withKey(String otherKey) {
        return new LaurelClient(url, otherKey);
    }

    /** Reads as applications do: sends a read that is answered 503 again after its {@code Retry-After}, for a minute. */
    JsonResponse get(String path) {
        var answer = new AtomicReference<JsonResponse>();
        Awaitility.await(path)
                .atMost(UNSERVED_MAX)
                .pollDelay(Duration.ZERO)
                .pollInterval(
                        (_, _) -> Duration.ofSeconds(Long.parseLong(answer.get().header("Retry-After"))))
                .until(() -> {
                    answer.set(getOnce(path));
                    return answer.get().status() != 503;
                });
        return answer.get();
    }

    /** Reads without another attempt, for tests of the status 503. */
    JsonResponse getOnce(String path) {
        return send("GET", path, null);
    }

    JsonResponse post(String path, String body) {
        return send("POST", path, body);
    }

    JsonResponse put(String path, String body) {
        return send("PUT", path, body);
    }

    JsonResponse patch(String path, String body) {
        return send("PATCH", path, body);
    }

    JsonResponse delete(String path) {
        return send("DELETE", path, null);
    }

    /** @param body null: none; @param headers names and values in turn */
    JsonResponse send(String method, String path, String body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(TIMEOUT)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (key != null) {
            request.header("X-API-KEY", key);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            CHECK.expectDocumented(new ResponseCheck.Answer(
                    method, path, response.statusCode(), response.headers()::allValues, response.body()));
            return JsonResponse.of(response);
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path + " got no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + method + " " + path, e);
        }
    }

    /** Builder of an event: {@code event("laps-swum").of("ida").value("4").send()}. */
    EventRequest event(String metric) {
        return new EventRequest(metric);
    }

    /** Records an event, which must be accepted. */
    JsonResponse record(String user, String metric, String value) {
        return event(metric).of(user).value(value).send().expect(201);
    }

    UserView user(String id) {
        return new UserView(this::get, id);
    }

    /** Encodes one segment of a path. */
    static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        http.close();
    }

    final class EventRequest {
        private final ObjectNode body = JsonNodeFactory.instance.objectNode();
        private final ObjectNode user = body.putObject("user");
        private final String metric;
        private String mount = "/v1";
        private String idempotencyKey;

        private EventRequest(String metric) {
            this.metric = metric;
        }

        EventRequest of(String userId) {
            user.put("id", userId);
            return this;
        }

        /** Adds a property of the user, as JSON. */
        EventRequest with(String property, String json) {
            user.set(property, JsonResponse.parse(json));
            return this;
        }

        /** Sets the value as JSON, with its digits unchanged. */
        EventRequest value(String json) {
            body.set("value", JsonResponse.parse(json));
            return this;
        }

        EventRequest attribute(String name, String value) {
            body.withObject("/attributes").put(name, value);
            return this;
        }

        EventRequest key(String text) {
            idempotencyKey = text;
            return this;
        }

        EventRequest under(String otherMount) {
            mount = otherMount;
            return this;
        }

        JsonResponse send() {
            String path = mount + "/metrics/" + encoded(metric) + "/event";
            return idempotencyKey == null
                    ? post(path, body.toString())
                    : LaurelClient.this.send("POST", path, body.toString(), "Idempotency-Key", idempotencyKey);
        }
    }
}
