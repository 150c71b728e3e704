package dev.laurel.deploy.tools.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class BatchImportTest {

    private static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-03-05T00:00:00Z"));

    /** A strong reference, without which its level is lost. */
    private static final Logger LOG = Logger.getLogger(MockWebServer.class.getName());

    @TempDir
    private Path dir;

    @AutoClose
    private final MockWebServer server = new MockWebServer();

    private final StringWriter err = new StringWriter();
    private String tenant;
    private Duration timeout = Duration.ofSeconds(30);

    @BeforeEach
    void start() throws IOException {
        LOG.setLevel(Level.WARNING);
        server.start();
    }

    private void answer(int status, String body, String... headers) {
        var response = new MockResponse.Builder().code(status).body(body);
        for (int i = 0; i < headers.length; i += 2) {
            response.addHeader(headers[i], headers[i + 1]);
        }
        server.enqueue(response.build());
    }

    private void accept() {
        answer(202, "{\"accepted\":1}");
    }

    private URI url() {
        return server.url("/").uri();
    }

    private ImportWork.Result run(long id, String... lines) throws Exception {
        try (var client = new BatchClient(new AdminApiClient(url(), "admin123.secret", null), tenant);
                var source = new LineSource(
                        new ByteArrayInputStream(String.join("\n", lines).getBytes(UTF_8)), NOW, TenantId.NONE);
                var progress = ProgressFile.open(dir.resolve("progress"));
                var refusals = ImportWork.RefusedEntries.to(new PrintWriter(err, true), dir.resolve("rejects"))) {
            return new BatchImport(client, new ImportWork.Context(source, progress, refusals, _ -> {}), id, timeout)
                    .run();
        }
    }

    private JsonNode sent() throws InterruptedException {
        RecordedRequest request = server.takeRequest(10, TimeUnit.SECONDS);
        assertEquals("/admin/v1/metrics/events", request.getTarget());
        assertEquals("admin123.secret", request.getHeaders().get("X-API-KEY"));
        return Json.read(request.getBody().toByteArray(), JsonNode.class);
    }

    private static String event(int number, String more) {
        return "{\"time\":\"2026-03-04T09:15:00.25Z\",\"type\":\"event\",\"metric\":\"laps\",\"value\":" + number
                + ".5,\"user\":{\"id\":\"ida\"}" + more + "}";
    }

    private static String numbers(JsonNode batch) {
        return batch.valueStream()
                .map(item -> item.get("value").decimalValue().toBigInteger().toString())
                .collect(Collectors.joining(","));
    }

    /** JSON may have half of a surrogate pair in a field that commands do not have. */
    @Test
    void shouldReportARefusedLineWhoseTextCannotBeEncoded() throws Exception {
        answer(422, "{\"error\":\"[0]: no such metric\"}");

        assertEquals(1, run(1, event(1, ",\"note\":\"\\ud800\"")).refused());
        assertTrue(Files.readString(dir.resolve("rejects")).contains("no such metric"));
    }

    @Test
    void shouldSendEventsWithTheirTimesAndKeys() throws Exception {
        accept();

        ImportWork.Result result = run(
                255, event(1, ",\"idempotencyKey\":\"mine\",\"attributes\":{\"pool\":\"north\"}"), "", event(2, ""));

        assertEquals(2, result.written());
        assertTrue(result.complete());
        assertEquals(Json.read("""
            [{"value":1.5,"user":{"id":"ida"},"idempotencyKey":"mine","attributes":{"pool":"north"},
              "time":"2026-03-04T09:15:00.250Z","key":"laps"},
             {"value":2.5,"user":{"id":"ida"},"time":"2026-03-04T09:15:00.250Z","key":"laps",
              "idempotencyKey":"import-00000000000000ff-3"}]\
            """.getBytes(UTF_8), JsonNode.class), sent());
    }

    @ParameterizedTest
    @CsvSource({"acme, acme", "Zürich, UTF-8''Z%C3%BCrich"})
    void shouldSendTenantId(String customerId, String header) throws Exception {
        accept();
        tenant = customerId;

        run(1, event(1, ""));

        assertEquals(header, server.takeRequest().getHeaders().get("Tenant-ID"));
    }

    @Test
    void shouldSendLargestBatches() throws Exception {
        accept();
        accept();

        run(1, IntStream.rangeClosed(1, 1200).mapToObj(n -> event(n, "")).toArray(String[]::new));

        assertEquals(1000, sent().size());
        assertEquals(200, sent().size());
        assertEquals(2, server.getRequestCount());
    }

    @Test
    void shouldReportRefusedEventsAndSendTheRest() throws Exception {
        answer(422, "{\"error\":\"[1]: value must be a number.\"}");
        accept();
        answer(404, "{\"error\":\"[0]: Metric not found\"}");
        accept();
        accept();

        ImportWork.Result result = run(1, event(1, ""), event(2, ""), event(3, ""), event(4, ""), event(5, ""));

        assertEquals(List.of(3L, 2L), List.of(result.written(), result.refused()));
        assertEquals(
                List.of("1,2,3,4,5", "1", "3,4", "4", "5"),
                List.of(numbers(sent()), numbers(sent()), numbers(sent()), numbers(sent()), numbers(sent())));
        assertEquals("line 2: value must be a number.\nline 3: Metric not found\n", err.toString());
        assertTrue(
                Files.readString(dir.resolve("rejects")).contains("\\\"metric\\\":\\\"laps\\\""),
                "a refused line can be corrected and imported");
    }

    @Test
    void shouldRefuseOtherCommands() throws Exception {
        accept();

        ImportWork.Result result = run(
                1,
                event(1, ""),
                "{\"time\":\"2026-03-04T09:15:00Z\",\"type\":\"identify\",\"user\":{\"id\":\"ida\"}}",
                "nonsense");

        assertEquals(List.of(1L, 2L), List.of(result.written(), result.refused()));
        assertTrue(
                err.toString().startsWith("line 2: is a command 'identify': only events go through --url"),
                err.toString());
        assertTrue(err.toString().contains("line 3: "), err.toString());
    }

    @Test
    void shouldRepeatBatchWithUnknownResult() throws Exception {
        String[] lines =
                IntStream.rangeClosed(1, 1001).mapToObj(n -> event(n, "")).toArray(String[]::new);
        accept();
        answer(503, "{\"error\":\"Only 0 of 1 events were acknowledged.\"}", "Retry-After", "0");
        answer(429, "{\"error\":\"Too many requests\"}", "Retry-After", "0");
        server.enqueue(new MockResponse.Builder()
                .onResponseStart(new SocketEffect.CloseSocket())
                .build());
        accept();

        assertEquals(1001, run(7, lines).written());

        assertEquals(1000, sent().size());
        JsonNode first = sent();
        assertEquals(first, sent());
        assertEquals(first, sent());
        assertEquals(first, sent());
    }

    @Test
    void shouldKeepIdempotencyKeysAfterCrash() throws Exception {
        String[] lines =
                IntStream.rangeClosed(1, 1500).mapToObj(n -> event(n, "")).toArray(String[]::new);
        timeout = Duration.ZERO;
        accept();
        answer(503, "{\"error\":\"The log could not be written.\"}");
        var stopped = assertThrows(ImportWork.Stopped.class, () -> run(7, lines));
        assertTrue(
                stopped.getMessage().contains("has accepted nothing for 0 s (503: The log could not be written.)"),
                stopped.getMessage());
        sent();
        JsonNode lost = sent();
        accept();

        assertEquals(500, run(8, lines).written());

        assertEquals(lost, sent(), "uses the id of the first run");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401|does not accept the key (401)",
                "403|refuses the key (403): no",
                "404|--url must be the address of a standalone, a gateway or the ingress",
                "413|answered 413: no"
            })
    void shouldFailIfServerNeverAccepts(int status, String reason) {
        answer(status, "{\"error\":\"no\"}");

        CommandFailed failed = assertThrows(CommandFailed.class, () -> run(1, event(1, "")));
        assertTrue(failed.getMessage().contains(reason), failed.getMessage());
    }

    @Test
    void shouldFailAtOnceWithoutServer() {
        server.close();

        CommandFailed failed = assertThrows(CommandFailed.class, () -> run(1, event(1, "")));
        assertTrue(failed.getMessage().startsWith("cannot import through http://"), failed.getMessage());
    }

    @Test
    void shouldRefuseProgressOfAnotherServer() throws Exception {
        accept();
        run(1, event(1, ""));
        Path progress = dir.resolve("progress");
        Files.writeString(progress, Files.readString(progress).replace(url().toString(), "http://elsewhere/"));

        assertThrows(CommandFailed.class, () -> run(1, event(1, ""), event(2, "")));
        assertEquals(1, server.getRequestCount());
    }

    @Test
    void shouldImportOnlyNewLinesWhenRunAgain() throws Exception {
        accept();
        accept();
        run(1, event(1, ""), "");
        assertFalse(run(2, Stream.of(event(1, ""), event(2, "")).toArray(String[]::new))
                        .written()
                > 1);

        sent();
        assertEquals("2", numbers(sent()));
    }
}
