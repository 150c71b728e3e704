package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.platform.http.RequiredRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The audit log, from the change of an operator to the table of another. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class AuditIT {

    private static final String AUDIT = "/admin/v1/audit";
    private static final String KEYS = "/admin/v1/admin-api-keys";

    /** An admin key. */
    private record Key(String id, String name, LaurelClient client, String text) {

        static Key make(LaurelClient admin, String name, String role) {
            JsonResponse made = admin.post(KEYS, "[{\"name\": \"" + name + "\", \"role\": \"" + role + "\"}]")
                    .expect(201);
            String text = made.string("/created/0/key");
            return new Key(made.string("/created/0/id"), name, admin.withKey(text), text);
        }
    }

    private static List<String> operations(JsonResponse page) {
        return page.json()
                .valueStream()
                .map(record -> record.get("operation").stringValue())
                .toList();
    }

    @Test
    void shouldShowWhoHasChangedWhat(LaurelInstance instance) {
        LaurelClient admin = instance.client();
        Key key = Key.make(admin, "Audited editor", "editor");
        long before = Long.parseLong(admin.get("/admin/v1/ruleset").expect(200).header("X-Laurel-Ruleset-Version"));

        JsonResponse made = key.client()
                .post("/admin/v1/metrics", "[{\"name\": \"Audited\", \"key\": \"audited\"}]")
                .expect(201);
        key.client().patch("/admin/v1/settings", "{\"controlRatio\": 5}").expectError(403);
        key.client()
                .post("/admin/v1/streaks/reset", "{\"users\": [{\"id\": \"audited-nobody\"}]}")
                .expect(200);
        key.client().post("/admin/v1/metrics", "{}").expectError(400);
        key.client().put("/v1/users/audited-ida", "{}").expect(200);

        String ofKey = AUDIT + "?author=" + key.id();
        JsonResponse all = admin.get(ofKey).expect(200);
        assertEquals(List.of("resetStreaks", "updateSettings", "createMetrics"), operations(all));
        assertEquals(0, all.at("/0/count").intValue(), "there is no such user");
        assertEquals("refused", all.string("/1/outcome"));
        assertEquals("This needs the role admin: the key has the role editor.", all.string("/1/reason"));
        JsonShape.assertObject(
                all.at("/2"),
                "id str",
                "time dt",
                "author map",
                "tenant str~",
                "operation str",
                "summary str",
                "outcome str",
                "reason str~",
                "objects list",
                "count int",
                "ruleset map~",
                "requestId str");
        assertEquals("Create metrics", all.string("/2/summary"));
        assertEquals("accepted", all.string("/2/outcome"));
        assertEquals(made.header("X-Request-Id"), all.string("/2/requestId"));
        assertEquals(
                "{\"type\":\"key\",\"id\":\"" + key.id() + "\",\"name\":\"Audited editor\"}",
                all.at("/2/author").toString());
        assertEquals(
                "[{\"kind\":\"metric\",\"id\":\"" + made.string("/created/0/id") + "\",\"name\":\"audited\"}]",
                all.at("/2/objects").toString());
        assertEquals(
                "{\"before\":" + before + ",\"after\":" + (before + 1) + "}",
                all.at("/2/ruleset").toString());

        JsonResponse history = admin.get("/admin/v1/ruleset/history?limit=1").expect(200);
        assertEquals(before + 1, history.at("/0/version").longValue());
        assertEquals(all.at("/2/author"), history.at("/0/author"));
        key.client()
                .delete("/admin/v1/metrics?ids=" + made.string("/created/0/id"))
                .expect(200);

        shouldFindAndPage(admin, ofKey);
        shouldListAndExport(instance, key);
        key.client().get(AUDIT).expectError(403);
        assertEquals(405, key.client().delete(AUDIT).status(), "nothing removes a record");
        admin.delete(KEYS + "?ids=" + key.id()).expect(200);
        assertEquals(4, admin.get(ofKey).expect(200).json().size(), "the key has gone, what it did has not");
        assertFalse(admin.get(AUDIT + "?limit=100").expect(200).text().contains(key.text()));
    }

    private static void shouldFindAndPage(LaurelClient admin, String ofKey) {
        assertEquals(List.of("deleteMetrics", "createMetrics"), operations(admin.get(ofKey + "&object=metric")));
        assertEquals(List.of("updateSettings"), operations(admin.get(ofKey + "&outcome=refused")));
        assertEquals(
                List.of("createMetrics"),
                operations(admin.get(AUDIT + "?operation=createMetrics&object=audited&author=Audited%20editor")));
        assertEquals(List.of(), operations(admin.get(ofKey + "&to=2020-01-01")));
        assertEquals(
                4,
                admin.get(ofKey + "&from=2020-01-01T00:00:00Z")
                        .expect(200)
                        .json()
                        .size());
        for (String wrong : List.of("from=yesterday", "to=2020-13-01", "outcome=x", "limit=0", "after=x", "skip=1")) {
            admin.get(AUDIT + "?" + wrong).expectError(422);
        }
        var paged = new ArrayList<String>();
        String next = "";
        while (next != null) {
            JsonResponse page = admin.get(ofKey + "&limit=1" + next).expect(200);
            paged.addAll(operations(page));
            next = page.header("X-Laurel-Next") == null ? null : "&after=" + page.header("X-Laurel-Next");
        }
        assertEquals(List.of("deleteMetrics", "resetStreaks", "updateSettings", "createMetrics"), paged);
    }

    private static void shouldListAndExport(LaurelInstance instance, Key key) {
        String table = run(instance, "report", "audit", "author=" + key.name(), "limit=2");
        List<String> lines = table.lines().toList();
        assertEquals(3, lines.size(), table);
        assertTrue(lines.get(1).contains("Audited editor") && lines.get(1).contains("Delete metrics"), table);
        List<String> csv = run(instance, "report", "audit", "author=" + key.id(), "--csv")
                .lines()
                .toList();
        assertEquals(5, csv.size(), csv::toString);
        assertTrue(csv.getFirst().startsWith("id,time,authorType,authorId,author,tenant,operation,"), csv::toString);
        assertTrue(csv.get(4).contains(",createMetrics,Create metrics,accepted,,metric "), csv::toString);
        List<JsonNode> json = run(instance, "report", "audit", "author=" + key.id(), "--json", "outcome=refused")
                .lines()
                .map(JsonResponse::parse)
                .toList();
        assertEquals(
                List.of("updateSettings"),
                json.stream().map(one -> one.get("operation").stringValue()).toList());
        assertTrue(run(instance, "report", "history", "limit=1").contains("Audited editor"));
        assertEquals(
                1,
                CommandRun.of("report", "audit", "--url", instance.url(), "--key", key.text())
                        .exitCode());
        CommandRun mistyped =
                CommandRun.of("report", "audit", "autor=CI", "--url", instance.url(), "--key", instance.adminKey());
        assertEquals(
                "laurel: Unknown parameter autor is ignored; did you mean author?",
                mistyped.err().strip());
        assertEquals(1, mistyped.exitCode());
    }

    private static String run(LaurelInstance instance, String... arguments) {
        CommandRun run = CommandRun.of(
                Stream.concat(Stream.of(arguments), Stream.of("--url", instance.url(), "--key", instance.adminKey()))
                        .toArray(String[]::new));
        assertEquals(0, run.exitCode(), run.err());
        return run.out();
    }

    /** Each route that is no read leaves one record, also those that somebody adds later: the table of routes sees to it. */
    @Test
    void shouldRecordAttemptsAtEachRouteThatChangesSomething(LaurelInstance instance) {
        LaurelClient admin = instance.client();
        Key key = Key.make(admin, "Audited viewer", "viewer");
        List<String> changes = instance.routes().entrySet().stream()
                .filter(route ->
                        route.getKey().contains(" /admin/") && !route.getKey().startsWith("GET "))
                .filter(route -> route.getValue() != RequiredRole.VIEWER && route.getValue() != RequiredRole.PUBLIC)
                .map(Map.Entry::getKey)
                .toList();
        assertTrue(changes.size() > 50, changes::toString);

        for (String change : changes) {
            String[] parts = change.split(" ");
            key.client()
                    .send(
                            parts[0],
                            parts[1].replaceAll("\\{\\w+}", UUID.randomUUID().toString()),
                            "{}")
                    .expectError(403);
        }

        List<JsonNode> records = new ArrayList<>();
        admin.get(AUDIT + "?limit=100&author=" + key.id()).expect(200).json().forEach(records::add);
        assertEquals(changes.size(), records.size());
        List<String> operations = records.stream()
                .map(record -> record.get("operation").stringValue())
                .distinct()
                .toList();
        assertEquals(changes.size(), operations.size(), "each route has an operation of its own");
        assertTrue(operations.stream().allMatch(operation -> operation.matches("[a-zA-Z]+")), operations::toString);
        assertTrue(records.stream()
                .allMatch(record -> record.get("outcome").stringValue().equals("refused")));
        admin.delete(KEYS + "?ids=" + key.id()).expect(200);
    }
}
