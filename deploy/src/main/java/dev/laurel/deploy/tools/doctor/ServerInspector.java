package dev.laurel.deploy.tools.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.tools.doctor.Facts.ServerFacts.RulesetFacts;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Collects the facts about one process over HTTP. Changes nothing. */
final class ServerInspector {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final long SECOND_MS = 1_000;
    private static final String WITHHELD = "laurel_delivery_emails_withheld_total";
    private static final String RULESET = "/admin/v1/ruleset";
    private static final String VERSION = "X-Laurel-Ruleset-Version";

    /** The limit exceeds the number of keys in practice. */
    private static final String KEYS = "/admin/v1/admin-api-keys?limit=100";

    private final HttpClient http;
    private final @Nullable String key;

    /** @param key admin key; null: ask only what needs no key */
    ServerInspector(HttpClient http, @Nullable String key) {
        this.http = http;
        this.key = key;
    }

    Facts.ServerFacts gather(URI server) {
        String base = server.toString().replaceFirst("/+$", "");
        try {
            HttpResponse<byte[]> health = get(base + "/healthz", null);
            long askedMs = System.currentTimeMillis();
            HttpResponse<byte[]> ready = get(base + "/readyz", null);
            ClusterFacts.ClockFacts clock = clock(ready, askedMs, System.currentTimeMillis());
            long withheld = withheld(get(base + "/metrics", null));
            HttpResponse<byte[]> ruleset = key == null ? null : get(base + RULESET, key);
            HttpResponse<byte[]> keys = key == null ? null : get(base + KEYS, key);
            return new Facts.ServerFacts(base, null, health.statusCode(), ready.statusCode(), clock,
                    ruleset == null ? 0 : ruleset.statusCode(), refusal(ruleset, keys), ruleset(ruleset),
                    keys != null && keys.statusCode() == OK
                            ? List.of(Json.read(keys.body(), AdminKeyBody[].class))
                            : null,
                    withheld);
        } catch (IOException e) {
            return Facts.ServerFacts.unreachable(base, AdminApiClient.reason(e));
        } catch (JacksonException _) {
            return Facts.ServerFacts.unreachable(base,
                    "its responses are not those of a Laurel server of this version");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while waiting for " + base, e);
        }
    }

    /** Reads one of the metrics; 0 if the process does not show it. */
    private static long withheld(HttpResponse<byte[]> metrics) {
        return new String(metrics.body(), UTF_8).lines().filter(line -> line.startsWith(WITHHELD)).findFirst()
                .map(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).orElse(0L);
    }

    private HttpResponse<byte[]> get(String url, @Nullable String withKey) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
        if (withKey != null) {
            request.header("X-API-KEY", withKey);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    /** Returns what the key lacks for the first of these responses that is 403; null: nothing. */
    private static @Nullable String refusal(@Nullable HttpResponse<byte[]> ruleset,
            @Nullable HttpResponse<byte[]> keys) {
        return Stream.of(ruleset, keys).flatMap(Stream::ofNullable)
                .filter(response -> response.statusCode() == FORBIDDEN)
                .findFirst().map(response -> AdminApiClient.errorOf(response.body())).orElse(null);
    }

    private static @Nullable RulesetFacts ruleset(@Nullable HttpResponse<byte[]> response) {
        if (response == null || response.statusCode() != OK) {
            return null;
        }
        long version = response.headers().firstValueAsLong(VERSION).orElse(0);
        return new RulesetFacts(version, RulesetEditor.issuesOf(Json.read(response.body(), RulesetSource.class)));
    }

    /** Returns null if the response has no date. */
    private static ClusterFacts.@Nullable ClockFacts clock(HttpResponse<byte[]> response, long askedMs,
            long answeredMs) {
        String date = response.headers().firstValue("Date").orElse(null);
        if (date == null) {
            return null;
        }
        try {
            long shownMs = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)).toEpochMilli();
            return ClusterFacts.ClockFacts.of(shownMs, SECOND_MS, askedMs, answeredMs);
        } catch (DateTimeException _) {
            return null;
        }
    }
}
