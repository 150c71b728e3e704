package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ReplayRoutesTest {

    private static final String PATH = "/admin/v1/replays";
    private static final UUID ID = new UUID(5, 1);
    private static final String ONE = PATH + "/" + ID;
    private static final String DRAFT = "{\"name\":\"Runs\",\"ruleset\":{\"metrics\":{\"runs\":{\"name\":\"Runs\"}}}}";
    private static final ApiKeys KEYS = (key, _) -> Grant.of(
            new Principal.Admin(Actor.ofKey(
                    new UUID(0, 1), "key", Role.of(key.replace("+", "")), key.endsWith("+") ? "acme" : null)),
            "prefix",
            TenantId.NONE);

    @TempDir
    private static Path folder;

    private final OneReplay replays = new OneReplay();

    @AutoClose
    private final GatewayHttp gateway =
            new GatewayHttp(Duration.ofSeconds(20), KEYS, RequestLimits.NONE, Optional.of(replays));

    private RawHttp.Response send(String method, String path, String body, String... headers) {
        return sendAs("admin", method, path, body, headers);
    }

    private RawHttp.Response sendAs(String key, String method, String path, String body, String... headers) {
        var all = new ArrayList<>(List.of(headers));
        all.add("X-API-KEY: " + key);
        return gateway.client.send(method, path, body, all.toArray(String[]::new));
    }

    @Test
    void shouldStartAReplayOfACheckedDraft() {
        send("POST", PATH, DRAFT)
                .expect(
                        201,
                        "{\"id\":\"" + ID
                                + "\",\"name\":\"Runs\",\"state\":\"queued\",\"author\":{\"type\":\"key\",\"id\":\""
                                + new UUID(0, 1)
                                + "\",\"name\":\"key\"},\"baseVersion\":1,\"createdAt\":\"1970-01-01T00:00:00.000Z\","
                                + "\"startedAt\":null,\"endedAt\":null,\"progress\":null,\"result\":null,\"error\":null}");
        assertEquals(
                "Runs", replays.document.content().part("metrics").part("runs").get("name"));
        AuditRecord audited = gateway.audited.getLast();
        assertEquals("startReplay", audited.operation());
        assertEquals(List.of(new AuditRecord.ChangedObject("replay", ID.toString(), "Runs")), audited.objects());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                                  | ruleset must be a JSON object
        {"ruleset": "metrics"}                              | ruleset must be a JSON object
        {"name": " ", "ruleset": {}}                        | name must have 1 to 100 characters
        {"name": 7, "ruleset": {}}                          | name must be a string
        {"ruleset": {"metrics": {"bad key": {}}}}           | "path":"/metrics/bad key"
        {"ruleset": {"metrik": {}}}                         | metrik\
        """)
    void shouldRefuseWhatIsNotADraft(String body, String reason) {
        var response = send("POST", PATH, body).expect(422);
        assertTrue(response.body().contains(reason), response.body());
        assertEquals(null, replays.document);
    }

    @Test
    void shouldSayThatNoMoreCanWait() {
        replays.refusal = "Ten wait.";

        assertEquals("422 {\"error\":\"Ten wait.\"}", text(send("POST", PATH, DRAFT)));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        viewer, GET, '', 200
        viewer, POST, '', 403
        support, POST, /1/promote, 403
        editor, POST, '', 201
        viewer, DELETE, /1, 403
        editor, DELETE, /1, 422
        viewer+, GET, '', 200
        viewer+, POST, '', 403
        editor+, POST, '', 201
        editor+, DELETE, /1, 422
        admin+, POST, /1/promote, 403\
        """)
    void shouldBeForTheRolesOfTheTable(String key, String method, String below, int status) {
        assertEquals(status, sendAs(key, method, PATH + below, DRAFT).status());
    }

    @Test
    void shouldShowProgressAndResult() {
        replays.put(Replays.State.RUNNING);
        assertTrue(send("GET", ONE, "")
                .body()
                .contains("\"progress\":{\"step\":\"read the log\",\"unit\":\"records\","
                        + "\"share\":0.25,\"done\":1,\"total\":4,\"secondsLeft\":3},\"result\":null"));

        replays.put(Replays.State.FINISHED);
        assertTrue(
                send("GET", PATH, "").body().contains("\"result\":{\"users\":9,\"different\":2,\"onlyOtherRank\":1}"));
        assertEquals("404 {\"error\":\"Replay not found\"}", text(send("GET", PATH + "/" + new UUID(5, 2), "")));
        assertEquals("422 {\"error\":\"id must be a valid UUID.\"}", text(send("GET", PATH + "/none", "")));
    }

    @Test
    void shouldNotShowATenantHowMuchAllHave() {
        replays.put(Replays.State.RUNNING);
        String shown = "\"progress\":{\"step\":\"read the log\",\"unit\":\"records\",\"share\":0.25,\"done\":null,"
                + "\"total\":null,\"secondsLeft\":3}";

        assertTrue(sendAs("viewer+", "GET", ONE, "").body().contains(shown));
        assertTrue(sendAs("viewer+", "GET", PATH, "").body().contains(shown));
    }

    @Test
    void shouldSayWhichAuthorsAreBound() {
        send("POST", PATH, DRAFT);
        assertFalse(replays.isBound);

        sendAs("editor+", "POST", PATH, DRAFT);
        assertTrue(replays.isBound);
    }

    @Test
    void shouldSendReportsByForm() {
        replays.put(Replays.State.RUNNING);
        assertEquals(
                "404 {\"error\":\"The replay has no report: it is running.\"}", text(send("GET", ONE + "/report", "")));

        replays.put(Replays.State.FINISHED);
        assertEquals("200 JSON", text(send("GET", ONE + "/report", "")));
        assertEquals("200 LARGEST", text(send("GET", ONE + "/report?users=largest", "")));
        var csv = send("GET", ONE + "/report", "", "Accept: text/csv");
        assertEquals("200 CSV", text(csv));
        assertTrue(csv.contentType().startsWith("text/csv"), csv.contentType());
        assertEquals(
                "422 {\"error\":\"users must be all or largest.\"}", text(send("GET", ONE + "/report?users=5", "")));
    }

    @Test
    void shouldCancelThenDelete() {
        replays.put(Replays.State.RUNNING);

        assertTrue(text(send("DELETE", ONE, "")).contains("\"state\":\"cancelled\""));
        assertEquals(200, send("DELETE", ONE, "").status());
        assertEquals(404, send("DELETE", ONE, "").status());
        assertEquals(
                List.of("deleteReplay", "deleteReplay"),
                gateway.audited.stream().map(AuditRecord::operation).toList());
    }

    @Test
    void shouldPublishTheDraftOfAFinishedReplay() {
        send("POST", PATH, DRAFT);
        gateway.rulesets.publish(FixedRulesets.ruleset(2, List.of()));
        assertEquals(422, send("POST", ONE + "/promote", "{\"baseVersion\":2}").status(), "it is queued");
        replays.put(Replays.State.FINISHED);
        assertEquals(422, send("POST", ONE + "/promote", "{}").status());
        var late = send("POST", ONE + "/promote", "{\"baseVersion\":1}").expect(422);
        assertTrue(late.body().contains("baseVersion is 1, and the newest version of the ruleset is 2"), late.body());
        assertTrue(gateway.log.edits.isEmpty());

        gateway.answerWith(200, "{\"version\":3,\"changed\":true,\"issues\":[]}");
        assertEquals(
                "200 {\"version\":3,\"changed\":true,\"issues\":[]}",
                text(send("POST", ONE + "/promote", "{\"baseVersion\":2}")));
        var edit = (Edit.Replace) gateway.log.edits.getFirst();
        assertEquals(2, edit.baseVersion());
        assertEquals(replays.document, edit.source());
    }

    @Test
    void shouldNameTheOptionWhereNoneAreOffered() {
        try (var without = new GatewayHttp(Duration.ofSeconds(20), KEYS, RequestLimits.NONE, Optional.empty())) {
            var response = without.client.send("GET", PATH, "", "X-API-KEY: viewer");

            assertEquals(
                    "404 {\"error\":\"This process runs no replays. Start a gateway, or a node with --gateway, with"
                            + " --replays 1.\"}",
                    text(response));
        }
    }

    private static String text(RawHttp.Response response) {
        return response.status() + " " + response.body();
    }

    /** At most one replay, in the state that a test sets. */
    private static final class OneReplay implements Replays {

        private Replay replay;
        private RulesetSource document;
        private boolean isBound;
        private String refusal;

        void put(State state) {
            boolean isRunning = state == State.RUNNING;
            replay = new Replay(
                    ID,
                    TenantId.NONE,
                    "Runs",
                    null,
                    1,
                    state,
                    Instant.EPOCH,
                    null,
                    null,
                    isRunning ? new Step("read the log", "records", 1, 4, 3L) : null,
                    state == State.FINISHED ? new Figures(9, 2, 1) : null,
                    null);
        }

        @Override
        public Addition add(Draft draft) {
            if (refusal != null) {
                return new Addition.Refused(refusal);
            }
            document = draft.document();
            isBound = draft.isBound();
            replay = new Replay(
                    ID,
                    draft.tenant(),
                    draft.name(),
                    draft.author(),
                    draft.baseVersion(),
                    State.QUEUED,
                    Instant.EPOCH,
                    null,
                    null,
                    null,
                    null,
                    null);
            return new Addition.Added(replay);
        }

        @Override
        public List<Replay> list(TenantId tenant) {
            return replay == null ? List.of() : List.of(replay);
        }

        @Override
        public Replay find(TenantId tenant, UUID id) {
            return replay != null && replay.id().equals(id) ? replay : null;
        }

        @Override
        public RulesetSource ruleset(TenantId tenant, UUID id) {
            return document;
        }

        @Override
        public Path report(TenantId tenant, UUID id, Format format) {
            try {
                return replay.state() == State.FINISHED
                        ? Files.writeString(folder.resolve(format.name()), format.name())
                        : null;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Replay cancel(TenantId tenant, UUID id) {
            if (replay.state().isFinal()) {
                return null;
            }
            put(State.CANCELLED);
            return replay;
        }

        @Override
        public boolean delete(TenantId tenant, UUID id) {
            replay = null;
            return true;
        }
    }
}
