package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The times at which starts and ends of boosts for all users are announced (docs/webhooks.md §3). The driver's wall clock starts in
 * 1970; all dates are in January of that year.
 */
class BoostAnnouncerTest {

    private static final String HOOKS = """
        webhooks: {crm: {url: 'https://crm.example.com/in', events: [points.boost_started, points.boost_finished]}}
        """;
    private static final String START = "1970-01-01T00:00:01Z";

    private final Published published = new Published();

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(published);

    private final Map<String, String> names = new HashMap<>();
    private Ruleset rules = Ruleset.empty(TenantId.NONE);

    private static String boosts(String... boosts) {
        return "points: {gems: {name: Gems, boosts: {" + String.join(", ", boosts) + "}}}\n";
    }

    private static String boost(String name, int firstDay, int lastDay) {
        return name + ": {start: '1970-01-%02d', end: '1970-01-%02d', multiplier: 2}".formatted(firstDay, lastDay);
    }

    /** Publishes a ruleset at the time of its marker. */
    private void publish(String yaml, String at) {
        rules = published.add(TestRulesets.next(rules, yaml, Instant.parse(at)));
        rules.pointsSystems().forEach(system -> system.boosts().forEach(b -> names.put(b.id().toString(), b.key())));
        ledger.publish(rules, at);
    }

    private List<String> tick(String at) {
        ledger.mark(new Tick(), at);
        return announced();
    }

    /** {@code +name time} for each start announced since the last call, {@code -name time} for each end. */
    private List<String> announced() {
        return ledger.effects().stream().map(this::shortly).toList();
    }

    private String shortly(JsonNode effect) {
        assertTrue(effect.get("user").isNull());
        String name = names.get(effect.get("boostId").asString());
        return (effect.get("type").asString().equals("points.boost_started") ? "+" : "-") + name + " "
                + effect.get("at").asString();
    }

    @Test
    void shouldAnnounceAtTenTheDayBeforeAndAtOneTheDayAfter() {
        publish(boosts(boost("spring", 5, 7)), START);

        assertEquals(List.of(), tick("1970-01-04T09:59:59.999Z"));
        assertEquals(List.of("+spring 1970-01-04T10:00:00.000Z"), tick("1970-01-04T10:00:00Z"));
        assertEquals(List.of(), tick("1970-01-08T12:59:59.999Z"));
        assertEquals(List.of("-spring 1970-01-08T13:00:00.000Z"), tick("1970-01-08T15:00:00Z"));
        assertEquals(List.of(), tick("1970-01-30T00:00:00Z"));
    }

    @Test
    void shouldRequestTicksWhenAnAnnouncementIsDue() {
        publish(boosts(boost("spring", 5, 7)), START);
        ledger.passTime(Duration.ofHours(3 * 24 + 9));
        assertEquals(0, ledger.ticksSent().size());
        ledger.passTime(Duration.ofHours(1));

        assertEquals(List.of(Instant.parse("1970-01-04T10:00:00Z").toEpochMilli()), ledger.ticksSent());
        assertEquals(1, tick("1970-01-04T10:00:00Z").size());
        ledger.passTime(Duration.ofDays(3));
        assertEquals(1, ledger.ticksSent().size(), "nothing is due before its end");
    }

    @Test
    void shouldAnnouncePastStartsAndEndsWithTheRules() {
        publish(boosts(boost("spring", 5, 7), boost("past", 1, 3), boost("later", 20, 21)), "1970-01-05T08:00:00Z");

        assertEquals(
                List.of(
                        "+spring 1970-01-05T08:00:00.000Z",
                        "+past 1970-01-05T08:00:00.000Z",
                        "-past 1970-01-05T08:00:00.000Z"),
                announced());
        publish(
                boosts(boost("spring", 5, 7), boost("past", 1, 3), boost("later", 20, 21), boost("new", 6, 9)),
                "1970-01-06T08:00:00Z");
        assertEquals(List.of("+new 1970-01-06T08:00:00.000Z"), announced(), "the others were announced");
    }

    @Test
    void shouldRememberAnnouncements() {
        publish(boosts(boost("spring", 5, 7)), START);
        tick("1970-01-04T10:00:00Z");
        ledger = ledger.restarted();

        assertEquals(List.of(), tick("1970-01-05T10:00:00Z"));
        assertEquals(List.of("-spring 1970-01-08T13:00:00.000Z"), tick("1970-01-08T13:00:00Z"));
    }

    @Test
    void shouldAnnounceNothingWhileTimersAreHeld() {
        ledger.mark(new TimersHeld("import"), START);
        publish(boosts(boost("spring", 5, 7), boost("past", 1, 1)), "1970-01-03T08:00:00Z");
        tick("1970-01-04T10:00:00Z");
        assertEquals(List.of(), announced());

        ledger.mark(new TimersReleased("import"), START);
        assertEquals(
                List.of(
                        "+spring 1970-01-04T10:00:00.000Z",
                        "+past 1970-01-03T08:00:00.000Z",
                        "-past 1970-01-03T08:00:00.000Z"),
                tick("1970-01-04T10:00:00Z"));
    }

    @Test
    void shouldAnnounceAnEndThatWasMoved() {
        publish(boosts(boost("spring", 5, 20)), START);
        tick("1970-01-04T10:00:00Z");
        publish(boosts(boost("spring", 5, 8)), "1970-01-10T08:00:00Z");
        assertEquals(List.of("-spring 1970-01-10T08:00:00.000Z"), announced());

        publish(boosts(boost("spring", 5, 12)), "1970-01-10T09:00:00Z");
        assertEquals(List.of(), announced());
        assertEquals(List.of("-spring 1970-01-13T13:00:00.000Z"), tick("1970-01-14T00:00:00Z"), "it went on");
    }

    @Test
    void shouldAnnounceAPostponedStartAgain() {
        publish(boosts(boost("spring", 5, 20)), START);
        tick("1970-01-04T10:00:00Z");
        publish(boosts(boost("spring", 9, 20)), "1970-01-04T11:00:00Z");

        assertEquals(List.of(), tick("1970-01-05T00:00:00Z"));
        assertEquals(List.of("+spring 1970-01-08T10:00:00.000Z"), tick("1970-01-08T10:00:00Z"));
    }

    @Test
    void shouldAnnounceNothingOfARemovedBoost() {
        publish(boosts(boost("spring", 5, 7), boost("autumn", 6, 7)), START);
        tick("1970-01-04T10:00:00Z");
        publish(boosts(boost("autumn", 6, 7)), "1970-01-04T11:00:00Z");

        assertEquals(
                List.of("+autumn 1970-01-05T10:00:00.000Z", "-autumn 1970-01-08T13:00:00.000Z"),
                tick("1970-01-20T00:00:00Z"));
    }

    @Test
    void shouldAnnounceALimitedNumberAtOneTick() {
        publish(
                boosts(IntStream.rangeClosed(0, BoostAnnouncer.MAX_ANNOUNCED)
                        .mapToObj(i -> boost("b" + i, 5, 5))
                        .toArray(String[]::new)),
                START);

        assertTrue(ledger.askTick("1970-01-04T10:00:00Z"), "there is more");
        assertEquals(BoostAnnouncer.MAX_ANNOUNCED, announced().size());
        assertFalse(ledger.askTick("1970-01-04T10:00:00Z"));
        assertEquals(List.of("+b500 1970-01-04T10:00:00.000Z"), announced());
    }

    @Test
    void shouldLeaveTenantsToThePartitionOfTheirKeys() {
        var layout = new LogLayout(2);
        ledger.close();
        ledger = new LedgerDriver(published, 2);
        var here = tenant(layout, 0);
        var elsewhere = tenant(layout, 1);
        for (TenantId tenant : List.of(here, elsewhere)) {
            Ruleset its = published.add(
                    TestRulesets.next(Ruleset.empty(tenant), boosts(boost("spring", 5, 7)), Instant.parse(START)));
            ledger.publish(its, START);
        }
        ledger.mark(new Tick(), "1970-01-04T10:00:00Z");

        assertEquals(
                List.of(here.value()),
                ledger.rawEffects().stream()
                        .map(record -> new String(record.key(), UTF_8))
                        .toList());
    }

    private static TenantId tenant(LogLayout layout, int partition) {
        return IntStream.range(0, 100)
                .mapToObj(i -> new TenantId("tenant-" + i))
                .filter(tenant -> layout.partitionOf(tenant.bytes()) == partition)
                .findFirst()
                .orElseThrow();
    }

    // The outbox.

    @Test
    void shouldWriteOneOutboxEventForAllWebhooks() {
        publish(boosts(boost("spring", 5, 7)) + HOOKS, START);
        ledger.mark(new Tick(), "1970-01-04T10:00:00Z");
        var record = ledger.outgoing().getFirst();

        assertEquals("", new String(record.key(), UTF_8));
        var event = (Outgoing.HookEvent) record.value();
        assertEquals(WebhookEvent.POINTS_BOOST_STARTED, event.event());
        assertEquals(List.of(rules.webhooks().getFirst().id()), event.webhooks());
        assertEquals(Instant.parse("1970-01-04T10:00:00Z"), event.at());
        JsonNode body = Json.mapperForTools().readTree(event.body());
        assertEquals("1970-01-04T10:00:00.000Z", body.get("timestamp").asString());
        JsonNode boost = body.get("boost");
        assertEquals("active", boost.get("status").asString());
        assertTrue(boost.get("userId").isNull());
        assertEquals("gems", boost.get("pointsSystemKey").asString());
        assertEquals("1970-01-07", boost.get("end").asString());
    }

    @Test
    void shouldWriteNoOutboxEventThatNoWebhookWants() {
        publish(boosts(boost("spring", 5, 7)) + HOOKS.replace(", points.boost_finished", ""), START);
        ledger.mark(new Tick(), "1970-01-20T10:00:00Z");

        assertEquals(2, announced().size());
        assertEquals(
                List.of(WebhookEvent.POINTS_BOOST_STARTED),
                ledger.outgoing().stream()
                        .map(record -> ((Outgoing.HookEvent) record.value()).event())
                        .toList());
    }

    /** This also holds for the events of a user. */
    @Test
    void shouldGiveTheSameIdsWhenTheLogIsReadAgain() {
        String all = Stream.of(WebhookEvent.values()).map(WebhookEvent::type).collect(Collectors.joining(", "));
        publish(
                "metrics: {laps: {}}\n"
                        + boosts(boost("spring", 5, 7), boost("early", 5, 6))
                                .replace(
                                        "name: Gems,",
                                        "name: Gems, triggers: {lap: {type: metric, metric: laps, threshold: 1,"
                                                + " points: 1}},")
                        + "webhooks: {crm: {url: 'https://crm.example.com/in', events: [" + all + "]}}\n",
                START);
        for (String user : List.of("ann", "ben")) {
            ledger.produce(
                    user,
                    "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"" + user + "\"}}",
                    "1970-01-02T00:00:00Z");
        }
        ledger.mark(new Tick(), "1970-01-04T10:00:00Z");
        ledger.mark(new Tick(), "1970-01-20T10:00:00Z");
        List<Outgoing> first =
                ledger.outgoing().stream().map(record -> record.value()).toList();
        List<LedgerDriver.Logged> log = List.copyOf(ledger.log());
        ledger.close();
        ledger = new LedgerDriver(published);
        log.forEach(ledger::pipe);

        assertEquals(
                first, ledger.outgoing().stream().map(record -> record.value()).toList());
        assertEquals(first.size(), first.stream().map(Outgoing::id).distinct().count());
        assertTrue(
                first.stream()
                                .filter(o -> o instanceof Outgoing.HookEvent told
                                        && told.event() == WebhookEvent.STREAK_LOST)
                                .count()
                        == 2,
                first.toString());
    }
}
