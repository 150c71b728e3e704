package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.ServerCalls;
import dev.laurel.deploy.tools.ServerRefusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** {@code POST /admin/v1/metrics/events} of a server (admin-api.md A3). Blocks; used by one thread. */
final class BatchClient implements AutoCloseable {

    private static final String PATH = "/admin/v1/metrics/events";

    /** Where the server does not say for how long. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** What is wrong with which one. */
    private static final Pattern REFUSED_ITEM = Pattern.compile("\\[(\\d{1,9})]: (.*)", Pattern.DOTALL);

    private final ServerCalls calls;
    private final String tenant;

    /** @param tenant its customerId; null: none @param tls whom an https server must be vouched for by; null: by those that Java knows */
    BatchClient(URI server, String key, String tenant, SSLContext tls) {
        this.tenant = tenant;
        this.calls = new ServerCalls(server, key, tls);
    }

    /** What became of a batch. */
    sealed interface Answer {

        /** All of it is stored. */
        record Stored() implements Answer {}

        /** Nothing is stored, because of this one. */
        record Refused(int index, String reason) implements Answer {}

        /** It may be stored or not; it is to be sent again after that time. */
        record Unknown(Duration after, String reason) implements Answer {}

        /** Likewise, and there may be no server at all. */
        record Unanswered(String reason) implements Answer {}
    }

    URI server() {
        return calls.server();
    }

    /**
     * @param events as JSON, not empty; each must have an idempotency key
     * @throws CommandFailed if the server will not take this batch later, either
     */
    Answer send(List<byte[]> events) throws InterruptedException {
        HttpResponse<byte[]> response;
        try {
            response = calls.send(request(events));
        } catch (IOException e) {
            return new Answer.Unanswered(ServerCalls.reason(e));
        }
        int status = response.statusCode();
        String error = status == 202 ? "" : ServerRefusal.errorOf(response.body());
        Matcher item = REFUSED_ITEM.matcher(error);
        if (status == 202) {
            return new Answer.Stored();
        } else if (status == 429 || status >= 500) {
            return new Answer.Unknown(after(response), status + ": " + error);
        } else if (item.matches() && Integer.parseInt(item.group(1)) < events.size()) {
            return new Answer.Refused(Integer.parseInt(item.group(1)), item.group(2));
        }
        throw ServerRefusal.of(server(), PATH, status, response.body());
    }

    private HttpRequest request(List<byte[]> events) {
        HttpRequest.Builder request = calls.request(PATH).header("Content-Type", "application/json");
        if (tenant != null) {
            request.header("Tenant-ID", tenant);
        }
        return request.POST(HttpRequest.BodyPublishers.ofByteArray(array(events))).build();
    }

    private static Duration after(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Retry-After").filter(value -> value.matches("\\d{1,4}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds))).orElse(PAUSE);
    }

    private static byte[] array(List<byte[]> events) {
        var array = new ByteArrayOutputStream();
        array.write('[');
        for (int i = 0; i < events.size(); i++) {
            if (i > 0) {
                array.write(',');
            }
            array.writeBytes(events.get(i));
        }
        array.write(']');
        return array.toByteArray();
    }

    @Override
    public void close() {
        calls.close();
    }
}
