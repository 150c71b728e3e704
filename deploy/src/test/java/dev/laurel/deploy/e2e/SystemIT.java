package dev.laurel.deploy.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.laurel.deploy.e2e.ConsoleBrowser.View;
import dev.laurel.deploy.e2e.ConsoleBrowser.Visit;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Operators look at the system, and mend records that it has rejected: by the API, and in a browser. */
@ExtendWith(SharedLaurel.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class SystemIT {

    private static final String REJECTIONS = "/admin/v1/rejections";
    private static final String SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>";

    private LaurelInstance laurel;
    private LaurelClient admin;

    @AutoClose
    private DirectProducer log;

    @BeforeAll
    void connect(LaurelInstance instance) {
        laurel = instance;
        admin = instance.client();
        log = new DirectProducer(instance.bootstrapServers());
    }

    /** The rejection of the record with this unknown metric. */
    private JsonNode awaitRejection(String metric) {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> admin.get(REJECTIONS + "?reason=" + metric)
                                .expect(200)
                                .json(),
                        found -> !found.isEmpty())
                .get(0);
    }

    @Test
    void shouldListAndSendAgainWhatWasRejected() {
        Instant then = Instant.now().minus(Duration.ofDays(3)).truncatedTo(ChronoUnit.MILLIS);
        String broken = DirectProducer.event("mended-1", "laps-mended", "5");
        RecordMetadata place = log.send("mended-1", then, broken);

        JsonNode rejection = awaitRejection("laps-mended");

        JsonShape.assertObject(
                rejection,
                "id str",
                "time dt",
                "source map",
                "key str~",
                "tenant str~",
                "reason str",
                "payload map~",
                "resent map~");
        String id = rejection.get("id").stringValue();
        assertEquals("Unknown metric: laps-mended.", rejection.get("reason").stringValue());
        assertEquals("mended-1", rejection.get("key").stringValue());
        assertEquals(broken, rejection.at("/payload/text").stringValue());
        assertEquals(place.partition(), rejection.at("/source/partition").intValue());
        assertEquals(place.offset(), rejection.at("/source/offset").longValue());
        assertEquals(then, Instant.parse(rejection.at("/source/time").stringValue()));
        assertTrue(rejection.get("resent").isNull());
        assertEquals(List.of(), ids("?reason=laps-mended&to=2020-01-01"));
        assertEquals(List.of(id), ids("?reason=LAPS-MENDED&from=2020-01-01T00:00:00Z"));
        for (String wrong : List.of("from=yesterday", "limit=0", "after=x", "skip=1", "reason=" + "x".repeat(256))) {
            admin.get(REJECTIONS + "?" + wrong).expectError(422);
        }

        String resend = REJECTIONS + "/" + id + "/resend";
        assertEquals("Unknown metric: laps-mended.", admin.post(resend, broken).expectError(422));
        String mended = broken.replace("laps-mended", "laps-swum");
        assertTrue(admin.post(resend, mended.replace(":5", ":\"5\""))
                .expectError(422)
                .startsWith("value "));
        JsonResponse sent = admin.post(resend, mended).expect(200);
        assertEquals("accepted", sent.string("/outcome"));
        assertEquals(then, Instant.parse(sent.string("/time")));
        assertEquals(place.partition(), sent.at("/partition").intValue());
        assertTrue(sent.at("/offset").longValue() > place.offset());
        assertEquals(BigDecimal.valueOf(5), laurel.client().user("mended-1").total("laps-swum"));
        assertEquals("repeated", admin.post(resend, mended).expect(200).string("/outcome"), "it counts once");
        assertEquals(BigDecimal.valueOf(5), laurel.client().user("mended-1").total("laps-swum"));

        JsonResponse audited = admin.get("/admin/v1/audit?operation=resendRejection&object=mended-1")
                .expect(200);
        assertEquals(2, audited.json().size());
        assertEquals(id, audited.string("/0/objects/0/id"));
        JsonNode after = admin.get(REJECTIONS + "/" + id).expect(200).json();
        assertEquals(broken, after.at("/payload/text").stringValue(), "it stays as it was");
        assertEquals("accepted", after.at("/resent/outcome").stringValue());
        admin.get(REJECTIONS + "/999999999").expect(404);
    }

    private List<String> ids(String query) {
        return admin.get(REJECTIONS + query)
                .expect(200)
                .json()
                .valueStream()
                .map(one -> one.get("id").stringValue())
                .toList();
    }

    @Test
    void shouldShowBinaryAndLongPayloads() {
        byte[] binary = DirectProducer.event("binary-1", "laps-binary", "1").getBytes(UTF_8);
        binary[binary.length - 4] = (byte) 0xff;
        RecordMetadata place = log.send(null, "binary-1".getBytes(UTF_8), Instant.now(), binary);
        log.send(
                "long-1",
                Instant.now(),
                DirectProducer.event("long-1", "laps-long", "1")
                        .replace("{\"type\"", "{\"note\":\"" + "x".repeat(5_000) + "\",\"type\""));
        JsonNode cut = awaitRejection("laps-long");
        JsonNode decoded = Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(
                        () -> admin.get(REJECTIONS + "?reason=UTF-8&limit=100")
                                .expect(200)
                                .json()
                                .valueStream()
                                .filter(one -> one.at("/source/offset").longValue() == place.offset()
                                        && one.at("/source/partition").intValue() == place.partition())
                                .findFirst()
                                .orElse(null),
                        one -> one != null);

        assertFalse(cut.at("/payload/isWhole").booleanValue());
        assertEquals(4_000, cut.at("/payload/text").stringValue().length());
        JsonNode whole = admin.get(REJECTIONS + "/" + cut.get("id").stringValue())
                .expect(200)
                .at("/payload");
        assertTrue(whole.get("isWhole").booleanValue());
        assertTrue(whole.get("text").stringValue().length() > 5_000);
        JsonNode bytes = admin.get(REJECTIONS + "/" + decoded.get("id").stringValue())
                .expect(200)
                .at("/payload");
        assertTrue(bytes.get("text").isNull());
        assertEquals(
                Base64.getEncoder().encodeToString(binary), bytes.get("base64").stringValue());
    }

    @Test
    void shouldShowWhatRunsAndWhatIsWrong() {
        // The intake of direct producers joins its group while the instance is ready already.
        JsonNode system = Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> admin.get("/admin/v1/system").expect(200).json(), SystemIT::isWithOwners);

        assertEquals(1, system.get("processes").size(), system::toString);
        JsonNode process = system.at("/processes/0");
        assertEquals("[\"node\",\"gateway\",\"delivery\"]", process.get("roles").toString());
        assertEquals(laurel.url(), "http://" + process.get("address").stringValue());
        assertTrue(process.get("ready").booleanValue());
        assertEquals(
                "[\"ledger\",\"boards\",\"delivery\",\"intake\"]",
                system.get("applications")
                        .valueStream()
                        .map(one -> "\"" + one.get("name").stringValue() + "\"")
                        .toList()
                        .toString()
                        .replace(" ", ""));
        for (JsonNode application : system.get("applications")) {
            for (JsonNode partition : application.get("partitions")) {
                assertEquals(process.get("id"), partition.get("owner"), application::toString);
            }
        }
        assertEquals(
                List.of("delivery", "ledger"),
                system.get("counters")
                        .valueStream()
                        .map(one -> one.get("application").stringValue())
                        .sorted()
                        .toList());

        JsonNode health = admin.get("/admin/v1/health").expect(200).json();
        List<String> checks = health.get("findings")
                .valueStream()
                .map(one -> one.get("check").stringValue())
                .toList();
        assertTrue(
                checks.containsAll(List.of("brokers", "groups", "servers", "rulesets", "keys", "directory")),
                health::toString);
        assertEquals(health, admin.get("/admin/v1/health").expect(200).json(), "one examination for all");

        JsonResponse diagnostics = admin.get("/admin/v1/diagnostics").expect(200);
        assertTrue(diagnostics.header("Content-Disposition").startsWith("attachment"));
        assertTrue(diagnostics.string("/metrics").contains("laurel_build{"));
        assertFalse(diagnostics.text().contains(laurel.adminKey()));
        assertFalse(diagnostics.at("/health/findings").toString().contains("\"keys\""));
        String viewer = admin.post("/admin/v1/admin-api-keys", "[{\"name\": \"Looks\", \"role\": \"viewer\"}]")
                .expect(201)
                .string("/created/0/key");
        admin.withKey(viewer).get("/admin/v1/system").expect(200);
        for (String path : List.of("/admin/v1/health", "/admin/v1/diagnostics", REJECTIONS)) {
            admin.withKey(viewer).get(path).expectError(403);
        }
    }

    private static boolean isWithOwners(JsonNode system) {
        JsonNode applications = system.get("applications");
        return applications.size() == 4
                && applications
                        .valueStream()
                        .flatMap(one -> one.get("partitions").valueStream())
                        .noneMatch(partition -> partition.get("owner").isNull());
    }

    @Test
    void shouldMendARecordInTheConsole() throws IOException {
        log.send(
                "page-1",
                Instant.now(),
                "{\"type\":\"event\",\"metric\":\"laps-page\",\"value\":7,\"user\":{\"id\":\"page-1\",\"name\":\""
                        + SCRIPT
                        + "\"}}");
        awaitRejection("laps-page");
        try (ConsoleBrowser browser = ConsoleBrowser.start()) {
            for (View view : List.of(View.PHONE, View.DARK, View.DESKTOP)) {
                try (Visit visit = browser.signedIn(laurel, view, "admin", "#/system")) {
                    Page page = visit.page();
                    assertThat(visit.region("Health")).containsText("What helps");
                    assertThat(visit.region("Processes")).containsText("node, gateway, delivery");
                    assertThat(visit.region("Partitions")).containsText("Ledger");
                    page.getByText("Partitions of Ledger").first().click();
                    assertThat(visit.region("Rejected records")).containsText("Unknown metric: laps-page.");
                    assertEquals(
                            true,
                            page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                            "scrolls sideways");
                    visit.expectAccessible("system " + view);
                    page.screenshot(new Page.ScreenshotOptions()
                            .setFullPage(true)
                            .setPath(Path.of(
                                    "target", "console", "system-" + view.width() + "-" + view.scheme() + ".png")));
                }
            }
            try (Visit visit = browser.signedIn(laurel, View.DESKTOP, "admin", "#/system")) {
                mend(visit);
            }
        }
        assertEquals(BigDecimal.valueOf(7), laurel.client().user("page-1").total("laps-swum"));
    }

    private static void mend(Visit visit) throws IOException {
        Page page = visit.page();
        Download download = page.waitForDownload(
                () -> page.getByText("Download diagnostics").click());
        assertTrue(Files.readString(download.path()).contains("laurel_build"));
        page.getByLabel("Reason contains").fill("laps-page");
        page.getByText("Show", new Page.GetByTextOptions().setExact(true)).click();
        Locator row = visit.region("Rejected records").locator("tbody tr");
        assertThat(row).hasCount(1);
        assertThat(row).containsText(SCRIPT);
        row.getByRole(AriaRole.LINK).click();
        assertThat(page.locator("pre.payload")).containsText(SCRIPT);
        Locator editor = page.getByLabel("Mended payload");
        visit.expectAccessible("rejected record");
        visit.screenshot("rejection");

        page.getByText("Send again…").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        visit.expectAccessible("dialog");
        dialog.getByText("Send again", new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(dialog.getByRole(AriaRole.ALERT)).containsText("Unknown metric: laps-page.");
        assertTrue(visit.takeProblems().stream().allMatch(problem -> problem.contains("422")));
        page.keyboard().press("Escape");
        editor.fill(editor.inputValue().replace("laps-page", "laps-swum"));
        page.getByText("Send again…").click();
        dialog.getByText("Send again", new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(page.getByRole(AriaRole.STATUS)).containsText("Accepted for page-1");
        assertThat(page.locator("dl.facts")).containsText("by ");
        visit.screenshot("rejection-sent");
        assertNull(page.evaluate("document.querySelector('main script, main img')"));
    }
}
