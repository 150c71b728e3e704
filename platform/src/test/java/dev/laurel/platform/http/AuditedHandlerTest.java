package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.Caller.AuditNote;
import dev.laurel.platform.http.HttpSettings.AuditLog;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.audit.AuditRecord.Outcome;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests leave an audit record, and what is in it. */
@Timeout(20)
class AuditedHandlerTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final Author IDA = new Author(Author.Type.PERSON, "17", "Ida");
    private static final String PATH = "/admin/v1/metrics";

    private final List<AuditRecord> records = new CopyOnWriteArrayList<>();
    private volatile boolean isWritable = true;
    private volatile boolean isCalled;
    private volatile Handler route = context -> answer(context, 201);
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server = TestServer.start(
            TestServer.at(new HttpSettings.Address("127.0.0.1", 0)).withAudit(new AuditLog() {

                @Override
                public void expectWritable() {
                    if (!isWritable) {
                        throw HttpRefusal.busy("not now");
                    }
                }

                @Override
                public void write(AuditRecord record) {
                    records.add(record);
                }
            }),
            (key, _) -> Grant.of(new Principal.Admin(Actor.ofPerson("17", "Ida", Role.of(key), null)), "prefix", ACME),
            List.of(routes -> routes.post(PATH, RequiredRole.EDITOR, this::call)
                    .get(PATH, RequiredRole.EDITOR, this::call)
                    .post("/admin/v1/ruleset/diff", RequiredRole.VIEWER, this::call)
                    .post("/admin/v1/tenants", RequiredRole.ADMIN_OF_INSTANCE, this::call)
                    .post("/v1/users", RequiredRole.SUPPORT, this::call)));

    @AfterEach
    void stop() {
        client.close(); // first: the server waits for connections
        server.close();
    }

    private void call(Context context) throws Exception {
        isCalled = true;
        route.handle(context);
    }

    private static void answer(Context context, int status) {
        Answers.answer(context, status, "{}".getBytes(UTF_8));
    }

    private int send(String method, String path, String key) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                                .timeout(Duration.ofSeconds(10))
                                .header("X-API-KEY", key)
                                .header("X-Request-Id", "request-7")
                                .method(method, HttpRequest.BodyPublishers.ofString("{}"))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void shouldSayWhoHasChangedWhat() throws Exception {
        Instant before = Instant.now().minusMillis(1);
        route = context -> {
            AuditNote audit = Caller.of(context).audit();
            audit.changed("metric", "1", "laps");
            audit.ruleset(new Versions(3, 4));
            audit.ruleset(new Versions(4, 5));
            assertEquals(List.of(), records, "nothing is written before the result is known");
            answer(context, 200);
        };

        assertEquals(200, send("POST", PATH, "editor"));

        AuditRecord record = records.getFirst();
        assertEquals(
                new AuditRecord(
                        record.time(),
                        IDA,
                        ACME,
                        "createMetrics",
                        Outcome.ACCEPTED,
                        null,
                        List.of(new ChangedObject("metric", "1", "laps")),
                        1,
                        new Versions(3, 5),
                        "request-7"),
                record);
        assertFalse(record.time().isBefore(before));
        assertEquals(1, records.size());
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        200, false, false, ACCEPTED
        202, false, false, ACCEPTED
        202, true,  false, UNKNOWN
        400, false, false,
        404, false, false,
        422, false, false,
        429, false, false,
        503, false, false,
        403, false, false, REFUSED
        500, false, false, UNKNOWN
        503, true,  false, UNKNOWN
        503, false, true,  UNKNOWN
        404, false, true,  UNKNOWN
        """)
    void shouldRecordWhatChangedOrMayHaveChangedAndWhatIsForbidden(
            int status, boolean isUnknown, boolean isChanged, Outcome outcome) throws Exception {
        for (boolean isThrown : new boolean[] {false, true}) {
            records.clear();
            route = context -> {
                if (isUnknown) {
                    Caller.of(context).audit().unknown();
                }
                if (isChanged) {
                    Caller.of(context).audit().changed("user", "ida", null);
                }
                if (isThrown && status >= 400) {
                    throw new HttpRefusal(status, "why");
                }
                answer(context, status);
            };

            assertEquals(status, send("POST", PATH, "editor"));

            assertEquals(
                    outcome == null ? List.of() : List.of(outcome),
                    records.stream().map(AuditRecord::outcome).toList());
        }
    }

    @Test
    void shouldRecordFaultsAndNotMistakesOfTheClient() throws Exception {
        route = _ -> {
            throw new IllegalStateException("expected by the test");
        };
        assertEquals(500, send("POST", PATH, "editor"));
        assertEquals(Outcome.UNKNOWN, records.getFirst().outcome());

        route = _ -> {
            throw new BadInputException(Refusal.invalid("no"));
        };
        assertEquals(422, send("POST", PATH, "editor"));
        assertEquals(1, records.size());
    }

    @Test
    void shouldRecordWhoLacksTheRole() throws Exception {
        assertEquals(403, send("POST", PATH, "support"));

        assertFalse(isCalled);
        assertEquals(Outcome.REFUSED, records.getFirst().outcome());
        assertEquals(
                "This needs the role editor: the person has the role support.",
                records.getFirst().reason());
        assertEquals("createMetrics", records.getFirst().operation());
    }

    /** A key that is bound to a tenant sees the records of the tenant only. */
    @Test
    void shouldNameNoTenantForWhatConcernsAll() throws Exception {
        send("POST", "/admin/v1/tenants", "admin");

        assertEquals(null, records.getFirst().tenant());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET " + PATH, "POST /admin/v1/ruleset/diff", "POST /v1/users"})
    void shouldNotRecordReadsAndTheApplicationApi(String request) throws Exception {
        String[] parts = request.split(" ");

        assertEquals(201, send(parts[0], parts[1], "editor"));

        assertTrue(isCalled);
        assertEquals(List.of(), records);
    }

    @Test
    void shouldChangeNothingThatCouldNotBeRecorded() throws Exception {
        isWritable = false;

        assertEquals(503, send("POST", PATH, "editor"));

        assertFalse(isCalled);
        assertEquals(201, send("GET", PATH, "editor"), "reads go on");
    }

    @Test
    void shouldKeepAtMostSoManyObjects() throws Exception {
        route = context -> {
            for (int i = 0; i < 1_000; i++) {
                Caller.of(context).audit().changed("user", Integer.toString(i), null);
            }
            Caller.of(context).audit().recorded(7);
            answer(context, 200);
        };

        send("POST", PATH, "editor");

        assertEquals(AuditRecord.MAX_OBJECTS, records.getFirst().objects().size());
        assertEquals(1_007, records.getFirst().count());
    }
}
