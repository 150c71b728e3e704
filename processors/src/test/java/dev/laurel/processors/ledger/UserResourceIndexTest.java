package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.store.users.UserResourceReader;
import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The index of pauses and boosts by owner, in the partition of their users. */
class UserResourceIndexTest {

    private static final String AT = "2026-03-04T10:00:00Z";

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first("""
        metrics: {laps: {}}
        points: {gems: {}, coins: {}}
        """));

    @AutoClose
    private final LedgerDriver ledger = new LedgerDriver(published);

    @BeforeEach
    void publishRules() {
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
        for (String user : List.of("ann", "bea")) {
            ledger.ask(user, "{\"type\":\"identify\",\"user\":{\"id\":\"" + user + "\"}}", AT);
        }
    }

    private void pause(String user, int id, LocalDate day, Instant at) {
        String json =
                "{\"type\":\"plan-pause\",\"user\":{\"id\":\"%s\"},\"pauseId\":\"%s\",\"start\":\"%s\",\"end\":\"%s\"}";
        assertEquals(
                201,
                ledger.ask(user, json.formatted(user, uuid(id), day, day), at.toString())
                        .status());
    }

    private void boost(String user, int id, String system, Instant at) {
        String json = "{\"type\":\"grant-boost\",\"user\":{\"id\":\"%s\"},\"boostId\":\"%s\",\"system\":\"%s\","
                + "\"name\":\"n\",\"start\":\"2026-03-04\",\"multiplier\":2}";
        assertEquals(
                201,
                ledger.ask(user, json.formatted(user, uuid(id), system), at.toString())
                        .status());
    }

    private static UUID uuid(int id) {
        return new UUID(0, id);
    }

    private UserResourceReader owned() {
        return ledger.reader().owned();
    }

    private List<String> listed(Kind kind, int group) {
        var all = new ArrayList<String>();
        Entry last = null;
        for (List<Entry> next = owned().next(kind, TenantId.NONE, group, null, 2);
                !next.isEmpty();
                next = owned().next(kind, TenantId.NONE, group, last, 2)) {
            next.forEach(entry ->
                    all.add(new String(entry.user(), UTF_8) + entry.id().getLeastSignificantBits()));
            last = next.getLast();
        }
        return all;
    }

    private int number(String system) {
        return ruleset.pointsSystems().stream()
                .filter(one -> one.key().equals(system))
                .findFirst()
                .orElseThrow()
                .number();
    }

    @Test
    void shouldListPausesOfAllUsersByTheirCreation() {
        Instant at = Instant.parse(AT);
        pause("ann", 3, LocalDate.parse("2026-03-20"), at);
        pause("bea", 2, LocalDate.parse("2026-03-05"), at.plusMillis(1));
        pause("ann", 1, LocalDate.parse("2026-03-05"), at.plusMillis(2));
        pause("bea", 4, LocalDate.parse("2026-03-06"), at.plusMillis(300));
        pause("bea", 5, LocalDate.parse("2026-03-07"), at.plusMillis(300));

        assertEquals(List.of("ann3", "bea2", "ann1", "bea4", "bea5"), listed(Kind.PAUSE, 0));
        assertEquals("bea", new String(owned().ownerOf(Kind.PAUSE, TenantId.NONE, uuid(2)), UTF_8));
        assertNull(owned().ownerOf(Kind.PAUSE, TenantId.NONE, uuid(6)));
        assertNull(owned().ownerOf(Kind.BOOST, TenantId.NONE, uuid(2)));
        assertNull(owned().ownerOf(Kind.PAUSE, new TenantId("acme"), uuid(2)));
    }

    @Test
    void shouldListBoostsByPointsSystem() {
        Instant at = Instant.parse(AT);
        boost("bea", 2, "gems", at);
        boost("ann", 1, "gems", at.plusMillis(1));
        boost("ann", 3, "coins", at.plusMillis(2));
        boost("bea", 2, "gems", at.plusMillis(3));

        assertEquals(List.of("bea2", "ann1"), listed(Kind.BOOST, number("gems")));
        assertEquals(List.of("ann3"), listed(Kind.BOOST, number("coins")));
    }

    @Test
    void shouldKeepDeletedPausesAndForgetRevokedBoosts() {
        Instant at = Instant.parse(AT);
        pause("ann", 1, LocalDate.parse("2026-03-05"), at);
        boost("ann", 2, "gems", at);
        ledger.ask(null, "{\"type\":\"delete-owned-pause\",\"id\":\"" + uuid(1) + "\"}", AT);
        ledger.ask(null, "{\"type\":\"revoke-owned-boost\",\"id\":\"" + uuid(2) + "\"}", AT);

        assertEquals(List.of("ann1"), listed(Kind.PAUSE, 0));
        assertEquals(List.of(), listed(Kind.BOOST, number("gems")));
        assertNull(owned().ownerOf(Kind.BOOST, TenantId.NONE, uuid(2)));
    }

    @Test
    void shouldDistinguishObjectsWithTheSameId() {
        Instant at = Instant.parse(AT);
        pause("bea", 1, LocalDate.parse("2026-03-05"), at);
        pause("ann", 1, LocalDate.parse("2026-03-05"), at.plusMillis(1));
        ledger.ask("ann", "{\"type\":\"erase-user\",\"user\":{\"id\":\"ann\"}}", AT);

        assertEquals(List.of("bea1"), listed(Kind.PAUSE, 0));
        assertEquals("bea", new String(owned().ownerOf(Kind.PAUSE, TenantId.NONE, uuid(1)), UTF_8));
    }

    @Test
    void shouldForgetReplacedPauses() {
        Instant at = Instant.parse(AT);
        for (int i = 0; i < 100; i++) {
            Instant then = at.plusSeconds(i * 86_400L);
            pause("ann", i + 1, LocalDate.parse("2026-03-04").plusDays(i), then);
        }
        pause("ann", 101, LocalDate.parse("2026-03-04").plusDays(100), at.plusSeconds(100 * 86_400L));

        assertEquals(100, listed(Kind.PAUSE, 0).size());
        assertNull(owned().ownerOf(Kind.PAUSE, TenantId.NONE, uuid(1)));
        assertEquals("ann2", listed(Kind.PAUSE, 0).getFirst());
    }

    @Test
    void shouldForgetAnErasedUser() {
        var before = ledger.contents().get("partition-state");
        ledger.ask("cyd", "{\"type\":\"identify\",\"user\":{\"id\":\"cyd\"}}", AT);
        pause("cyd", 1, LocalDate.parse("2026-03-05"), Instant.parse(AT));
        boost("cyd", 2, "gems", Instant.parse(AT));
        ledger.ask("cyd", "{\"type\":\"erase-user\",\"user\":{\"id\":\"cyd\"}}", AT);

        assertEquals(before, ledger.contents().get("partition-state"));
    }
}
