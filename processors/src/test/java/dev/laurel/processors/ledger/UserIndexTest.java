package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.store.users.UserIndexReader.Active;
import dev.laurel.processors.store.users.UserIndexReader.Created;
import dev.laurel.processors.store.users.UserIndexReader.Term;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The index by which users are found, which changes with their commands. */
class UserIndexTest {

    /** The first letters of the keys of the index. */
    private static final String INDEX = "uwacC";

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LATER = "2026-03-04T23:59:59Z";
    private static final String NEXT_DAY = "2026-03-05T00:00:00Z";

    private final Published published = new Published();
    private final Ruleset ruleset = published.add(TestRulesets.first("metrics: {laps: {}}"));

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(published);

    @BeforeEach
    void publishRules() {
        ledger.publish(ruleset, "2026-01-01T00:00:00Z");
    }

    private static void event(LedgerDriver to, String user, String at) {
        assertEquals(
                201,
                to.ask(
                                user,
                                "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"" + user
                                        + "\"}}",
                                at)
                        .status());
    }

    /** @param fields of the user, as JSON */
    private static void identify(LedgerDriver to, String user, String fields) {
        assertTrue(to.ask(user, "{\"type\":\"identify\",\"user\":{\"id\":\"" + user + "\"," + fields + "}}", AT)
                        .status()
                < 300);
    }

    private static void erase(LedgerDriver to, String user) {
        assertEquals(
                200,
                to.ask(user, "{\"type\":\"erase-user\",\"user\":{\"id\":\"" + user + "\"}}", AT)
                        .status());
    }

    private UserIndexReader index() {
        return ledger.reader().index();
    }

    private String found(String prefix) {
        return index().withTerm(TenantId.NONE, prefix, null, 100).stream()
                .map(term -> term.term() + "=" + new String(term.user(), UTF_8))
                .collect(Collectors.joining(" | "));
    }

    private String active() {
        return index().active(TenantId.NONE, Integer.MAX_VALUE, null, 100).stream()
                .map(entry -> (entry.day() == UserIndexReader.UserIndexKeys.NEVER
                                ? "never"
                                : LocalDate.ofEpochDay(entry.day()))
                        + "=" + new String(entry.user(), UTF_8))
                .collect(Collectors.joining(" | "));
    }

    /** The entries of the index, with how far it is built. */
    private static Map<String, String> entries(LedgerDriver of) {
        var entries = new TreeMap<>(of.contents().get("partition-state"));
        entries.keySet().removeIf(key -> INDEX.indexOf(Integer.parseInt(key.substring(0, 2), 16)) < 0);
        return entries;
    }

    @Test
    void shouldListUsersByTermAndByDay() {
        identify(ledger, "ann", "\"name\":\"Ida Laine\",\"email\":\"ANN@example.net\"");
        identify(ledger, "bo", "\"name\":\"Idä\"");
        event(ledger, "cy", AT);

        assertEquals("ida=bo | ida laine=ann", found("ida"));
        assertEquals("laine=ann", found("lai"));
        assertEquals("ann@example.net=ann", found("ann@e"));
        assertEquals("", found("cy"));
        assertEquals("2026-03-04=cy | never=ann | never=bo", active());
    }

    @Test
    void shouldListUsersByTheirCreationNewestFirst() {
        event(ledger, "bo", AT);
        event(ledger, "ann", AT);
        event(ledger, "cy", LATER);
        event(ledger, "ann", LATER);
        event(ledger, "di", LATER);
        erase(ledger, "di");

        assertEquals("cy ann bo", created(null, 9));
        assertEquals("cy ann", created(null, 2));
        Created second = index().created(TenantId.NONE, null, 2).getLast();
        assertEquals(AT, Instant.ofEpochMilli(second.createdMs()).toString());
        assertEquals("bo", created(second, 9));
    }

    private String created(Created after, int limit) {
        return index().created(TenantId.NONE, after, limit).stream()
                .map(entry -> new String(entry.user(), UTF_8))
                .collect(Collectors.joining(" "));
    }

    @Test
    void shouldFollowChangesOfNameAndAddress() {
        identify(ledger, "ann", "\"name\":\"Ida Laine\",\"email\":\"ann@example.net\"");
        identify(ledger, "ann", "\"name\":\"Ida Korpi\"");
        assertEquals("", found("laine"));
        assertEquals("ida korpi=ann", found("ida"));
        assertEquals("korpi=ann", found("k"));

        identify(ledger, "ann", "\"name\":\"!\",\"subscribeToEmails\":false");
        assertEquals("", found("k") + found("i") + found("a"));
        assertEquals("!=ann", found("!"));
    }

    @Test
    void shouldChangeOncePerUserAndDay() {
        event(ledger, "ann", AT);
        Map<String, String> first = entries(ledger);
        event(ledger, "ann", LATER);
        event(ledger, "ann", "2026-03-01T10:00:00Z");
        assertEquals(first, entries(ledger));

        event(ledger, "ann", NEXT_DAY);
        assertEquals("2026-03-05=ann", active());
        assertEquals(first.size(), entries(ledger).size());
    }

    @Test
    void shouldForgetErasedUsersAndKeepOthers() {
        identify(ledger, "anna", "\"name\":\"Ida Laine\"");
        Map<String, String> before = entries(ledger);
        identify(ledger, "ann", "\"name\":\"Ida Laine\",\"email\":\"ann@example.net\"");
        event(ledger, "ann", AT);
        erase(ledger, "ann");

        assertEquals(before, entries(ledger));
        assertEquals("ida laine=anna", found("ida"));
    }

    @Test
    void shouldContinueBehindAnEntry() {
        for (String user : List.of("a", "b", "c")) {
            identify(ledger, user, "\"name\":\"Ida\"");
        }
        Term first = index().withTerm(TenantId.NONE, "id", null, 1).getFirst();
        assertEquals(
                "b c",
                index().withTerm(TenantId.NONE, "id", first, 9).stream()
                        .map(term -> new String(term.user(), UTF_8))
                        .collect(Collectors.joining(" ")));
        assertEquals(List.of(), index().withTerm(TenantId.NONE, "id", new Term("zz", "a".getBytes(UTF_8)), 9));
        assertEquals(
                3,
                index().withTerm(TenantId.NONE, "id", new Term("aa", "a".getBytes(UTF_8)), 9)
                        .size());
        Active never = index().active(TenantId.NONE, Integer.MAX_VALUE, null, 1).getFirst();
        assertEquals(
                2, index().active(TenantId.NONE, never.day(), never.user(), 9).size());
    }

    @Test
    void shouldListUsersWithoutATenantWithoutThoseOfTenants() {
        ledger.publish(
                published.add(
                        TestRulesets.next(Ruleset.empty(new TenantId("am")), "metrics: {laps: {}}", Instant.EPOCH)),
                AT);
        for (String key : List.of("al", "am", "am0", "an%2Fa", "az", "am/a", "am/b", "am/z")) {
            String json = "{\"type\":\"identify\",\"user\":{\"id\":\""
                    + UserKey.parse(key).user() + "\",\"name\":\"Ida\"}}";
            assertTrue(ledger.ask(key, json, AT).status() < 300);
        }

        assertEquals("al am am0 an/a az", ids(TenantId.NONE, "", null, 9));
        assertEquals("am0 an/a", ids(TenantId.NONE, "", "am", 2));
        assertEquals("am am0", ids(TenantId.NONE, "am", null, 9));
        assertEquals("an/a", ids(TenantId.NONE, "an/", null, 9));
        assertEquals("a b z", ids(new TenantId("am"), "", null, 9));
        assertEquals("b z", ids(new TenantId("am"), "", "am/a", 9));
        assertEquals("z", ids(new TenantId("am"), "z", null, 9));
        assertEquals(3, index().withTerm(new TenantId("am"), "ida", null, 9).size());
        assertEquals(5, index().withTerm(TenantId.NONE, "ida", null, 9).size());
        assertEquals(
                3,
                index().active(new TenantId("am"), Integer.MAX_VALUE, null, 9).size());
    }

    private String ids(TenantId tenant, String prefix, String after, int limit) {
        return index().withId(tenant, prefix, after == null ? null : after.getBytes(UTF_8), limit).stream()
                .map(user -> user.id().value())
                .collect(Collectors.joining(" "));
    }

    @Test
    void shouldStoreNothingForAPartitionWithoutUsers() {
        assertEquals(Map.of(), entries(ledger));
        ledger.passTime(Duration.ofSeconds(1));
        assertEquals(Map.of(), entries(ledger));
    }
}
