package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client of {@code POST /admin/v1/metrics/events} (docs/admin-api.md A3). Blocks; used by one thread.
 *
 * @param calls closed with this client @param tenant customer id of the tenant; null: the instance has no tenants
 */
record BatchClient(AdminApiClient calls, @Nullable String tenant) implements AutoCloseable {

    private static final String PATH = "/admin/v1/metrics/events";

    /** Pause if the server does not name one. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** Index and reason of the refused event. */
    private static final Pattern REFUSED_EVENT = Pattern.compile("\\[(\\d{1,9})]: (.*)", Pattern.DOTALL);

    /** Result of a batch. */
    sealed interface Response {

        /** All events are stored. */
        record Stored() implements Response {}

        /** No event is stored, because of this one. */
        record Refused(int index, String reason) implements Response {}

        /** It is unknown whether the events are stored; the batch must be sent again after that time. */
        record Unknown(Duration after, String reason) implements Response {}

        /** Like {@link Unknown}, but there may be no server at all. */
        record Missing(String reason) implements Response {}
    }

    /**
     * @param events JSON objects with idempotency keys, at least one
     * @throws CommandFailed if the server will never accept this batch
     */
    Response send(List<String> events) {
        HttpResponse<byte[]> response;
        try {
            response = calls.send(request(events));
        } catch (IOException e) {
            return new Response.Missing(AdminApiClient.reason(e));
        }
        int status = response.statusCode();
        String error = status == 202 ? "" : AdminApiClient.errorOf(response.body());
        Matcher refused = REFUSED_EVENT.matcher(error);
        if (status == 202) {
            return new Response.Stored();
        } else if (status == 429 || status >= 500) {
            return new Response.Unknown(after(response), status + ": " + error);
        } else if (refused.matches() && Integer.parseInt(refused.group(1)) < events.size()) {
            return new Response.Refused(Integer.parseInt(refused.group(1)), refused.group(2));
        }
        throw calls.unexpected(PATH, response);
    }

    private HttpRequest request(List<String> events) {
        return calls.request(PATH, tenant)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("[" + String.join(",", events) + "]"))
                .build();
    }

    private static Duration after(HttpResponse<byte[]> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> value.matches("\\d{1,4}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
                .orElse(PAUSE);
    }

    @Override
    public void close() {
        calls.close();
    }
}
