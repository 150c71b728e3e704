package dev.laurel.deploy.tools.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.tools.doctor.Facts.ServerFacts.RulesetFacts;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Collects the facts about one process over HTTP. Changes nothing.
 *
 * @param hasKey whether the calls have an admin key; otherwise it asks only what needs none
 */
record ServerInspector(AdminApiClient calls, boolean hasKey) {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final long SECOND_MS = 1_000;
    private static final String WITHHELD = "laurel_delivery_emails_withheld_total";
    private static final String RULESET = "/admin/v1/ruleset";
    private static final String VERSION = "X-Laurel-Ruleset-Version";

    /** The limit exceeds the number of keys in practice. */
    private static final String KEYS = "/admin/v1/admin-api-keys?limit=100";

    Facts.ServerFacts gather() {
        String base = calls.base();
        try {
            HttpResponse<byte[]> health = get("/healthz");
            long askedMs = System.currentTimeMillis();
            HttpResponse<byte[]> ready = get("/readyz");
            ClusterFacts.ClockFacts clock = clock(ready, askedMs, System.currentTimeMillis());
            long withheld = withheld(get("/metrics"));
            HttpResponse<byte[]> ruleset = hasKey ? get(RULESET) : null;
            HttpResponse<byte[]> keys = hasKey ? get(KEYS) : null;
            return new Facts.ServerFacts(
                    base,
                    null,
                    health.statusCode(),
                    ready.statusCode(),
                    clock,
                    ruleset == null ? 0 : ruleset.statusCode(),
                    refusal(ruleset, keys),
                    ruleset(ruleset),
                    keys != null && keys.statusCode() == OK
                            ? List.of(Json.read(keys.body(), AdminKeyBody[].class))
                            : null,
                    withheld);
        } catch (IOException e) {
            return Facts.ServerFacts.unreachable(base, AdminApiClient.reason(e));
        } catch (JacksonException _) {
            return Facts.ServerFacts.unreachable(
                    base, "its responses are not those of a Laurel server of this version");
        }
    }

    /** Reads one of the metrics; 0 if the process does not show it. */
    private static long withheld(HttpResponse<byte[]> metrics) {
        return new String(metrics.body(), UTF_8)
                .lines()
                .filter(line -> line.startsWith(WITHHELD))
                .findFirst()
                .map(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .orElse(0L);
    }

    private HttpResponse<byte[]> get(String path) throws IOException {
        return calls.send(calls.request(path).timeout(TIMEOUT).build());
    }

    /** Returns what the key lacks for the first of these responses that is 403; null: nothing. */
    private static @Nullable String refusal(
            @Nullable HttpResponse<byte[]> ruleset, @Nullable HttpResponse<byte[]> keys) {
        return Stream.of(ruleset, keys)
                .flatMap(Stream::ofNullable)
                .filter(response -> response.statusCode() == FORBIDDEN)
                .findFirst()
                .map(response -> AdminApiClient.errorOf(response.body()))
                .orElse(null);
    }

    private static @Nullable RulesetFacts ruleset(@Nullable HttpResponse<byte[]> response) {
        if (response == null || response.statusCode() != OK) {
            return null;
        }
        long version = response.headers().firstValueAsLong(VERSION).orElse(0);
        return new RulesetFacts(version, RulesetEditor.issuesOf(Json.read(response.body(), RulesetSource.class)));
    }

    /** Returns null if the response has no date. */
    private static ClusterFacts.@Nullable ClockFacts clock(
            HttpResponse<byte[]> response, long askedMs, long answeredMs) {
        String date = response.headers().firstValue("Date").orElse(null);
        if (date == null) {
            return null;
        }
        try {
            long shownMs = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date))
                    .toEpochMilli();
            return ClusterFacts.ClockFacts.of(shownMs, SECOND_MS, askedMs, answeredMs);
        } catch (DateTimeException _) {
            return null;
        }
    }
}
