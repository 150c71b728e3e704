package dev.laurel.processors.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.TestRulesets;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.AwardHistory;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.UserEngine;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.simulation.SimulationModel.Entry;
import dev.laurel.processors.simulation.SimulationModel.Facts;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.schemas.command.Tick;
import dev.laurel.schemas.command.TimersHeld;
import dev.laurel.schemas.command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** One seeded history: a workload, and the invariants that must hold all along. */
final class Simulation implements AutoCloseable {

    private static final List<String> METRICS = List.of("laps", "litres", "falls");
    private static final List<String> VALUES = List.of("1", "1", "1", "2", "7", "0.1", "0.2", "0.25", "-1", "-3", "0",
            "25", "0.000000001");
    private static final List<String> ZONES = List.of("UTC", "Europe/Helsinki", "Asia/Tokyo", "America/Los_Angeles",
            "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Sao_Paulo", "Asia/Beirut", "Australia/Lord_Howe");
    private static final int USERS = 6;

    private final Random random;
    private final Published published = new Published();
    private final List<SimulationModel> models = new ArrayList<>();
    private final Map<String, Long> awardedByEffects = new HashMap<>();
    private final Set<String> completedByEffects = new HashSet<>();
    private final List<String> outputs = new ArrayList<>();
    private Instant now;
    private Ruleset rules = Ruleset.empty(TenantId.NONE);
    private LedgerDriver ledger = new LedgerDriver(published);
    private String lastEvent;
    private int lastUser;
    private Instant lastAt;
    private boolean isHeld;

    Simulation(long seed) {
        this.random = new Random(seed);
        // Over the clock changes of spring in both hemispheres.
        this.now = Instant.parse(random.nextBoolean() ? "2018-10-20T00:00:00Z" : "2024-03-15T00:00:00Z");
        for (int user = 0; user < USERS; user++) {
            models.add(new SimulationModel());
        }
        publishRules();
    }

    void run(int steps) {
        for (int step = 0; step < steps; step++) {
            int dice = random.nextInt(1000);
            if (dice < 780) {
                recordEvent();
            } else if (dice < 850) {
                identify();
            } else if (dice < 900) {
                repeatLastRecord();
            } else if (dice < 960) {
                tick();
            } else if (dice < 980) {
                publishRules();
            } else if (dice < 996) {
                toggleHold();
            } else {
                restart();
            }
            collectOutputs();
            if (step % 25 == 0) {
                checkAll();
            }
        }
        checkAll();
        restart();
        checkAll();
    }

    private void recordEvent() {
        int user = random.nextInt(USERS);
        Instant at = nextTime();
        String metric = random.nextInt(50) == 0 ? "unheard-of" : pick(METRICS);
        String value = pick(VALUES);
        ZoneId tz = random.nextInt(12) == 0 ? ZoneId.of(pick(ZONES)) : null;
        String key = random.nextInt(4) == 0 ? "key-" + random.nextInt(20) : null;
        String json = "{\"type\":\"event\",\"metric\":\"" + metric + "\",\"value\":" + value + ",\"user\":"
                + userJson(user, tz) + (key == null ? "" : ",\"idempotencyKey\":\"" + key + "\"") + "}";
        models.get(user).add(new Entry(null, at, tz, metric, new BigDecimal(value), key));
        ledger.ask(nameOf(user), json, at.toString());
        lastEvent = key == null ? null : json;
        lastUser = user;
        lastAt = at;
    }

    /** A producer that sends twice: an event with a key must change nothing at all. */
    private void repeatLastRecord() {
        if (lastEvent == null) {
            return;
        }
        collectOutputs();
        var before = ledger.contents();
        ledger.ask(nameOf(lastUser), lastEvent, lastAt.toString());
        assertEquals(before, ledger.contents(), "a repeated event changed something: " + lastEvent);
        assertEquals(List.of(), ledger.effects(), "a repeated event had effects");
    }

    private void identify() {
        int user = random.nextInt(USERS);
        Instant at = nextTime();
        ZoneId tz = random.nextBoolean() ? ZoneId.of(pick(ZONES)) : null;
        models.get(user).add(new Entry(null, at, tz, null, null, null));
        ledger.ask(nameOf(user), "{\"type\":\"identify\",\"user\":" + userJson(user, tz) + "}", at.toString());
    }

    private static String userJson(int user, ZoneId tz) {
        return "{\"id\":\"" + nameOf(user) + "\"" + (tz == null ? "" : ",\"tz\":\"" + tz + "\"") + "}";
    }

    /** Mostly a few hours on, at times some days late. */
    private Instant nextTime() {
        now = now.plus(Duration.ofMinutes(random.nextInt(300)));
        return random.nextInt(6) == 0 ? now.minus(Duration.ofMinutes(random.nextInt(5 * 24 * 60))) : now;
    }

    private void tick() {
        now = now.plus(Duration.ofMinutes(random.nextInt(300)));
        collectOutputs();
        var reader = ledger.reader();
        var expected = new HashMap<Integer, UserState>();
        for (int user = 0; user < USERS; user++) {
            UserState before = reader.user(nameOf(user).getBytes(UTF_8));
            if (before != null) {
                expected.put(user, UserEngine
                        .advance(keyOf(user), before, compiled(), historyOf(user), now.toEpochMilli()).state());
            }
        }
        ledger.mark(new Tick(), now.toString());
        if (!isHeld) {
            models.forEach(model -> model.add(Entry.tick(now)));
            expected.forEach((user, advanced) -> assertEquals(advanced.streak(),
                    reader.user(nameOf(user).getBytes(UTF_8)).streak(), "a read and a tick differ for user " + user));
        }
    }

    private void toggleHold() {
        ledger.mark(isHeld ? new TimersReleased("import") : new TimersHeld("import"), now.toString());
        isHeld = !isHeld;
    }

    private void publishRules() {
        rules = TestRulesets.next(rules, randomRules(), now);
        published.add(rules);
        ledger.publish(rules, now.toString());
        models.forEach(model -> model.add(new Entry(rules, now, null, null, null, null)));
    }

    private String randomRules() {
        var yaml = new StringBuilder("metrics: {laps: {}, litres: {}, falls: {}}\nachievements:\n");
        for (int i = 1; i <= 4; i++) {
            yaml.append(
                    "  a%d: {trigger: metric, metric: %s, value: %d}%n".formatted(i, METRICS.get(i % 3), i * i * 7));
        }
        yaml.append("points:\n");
        for (String system : List.of("xp", "coins")) {
            yaml.append("  %s:%n    triggers:%n".formatted(system));
            int triggers = 1 + random.nextInt(3);
            for (int i = 0; i < triggers; i++) {
                yaml.append("      t%d: {type: metric, metric: %s, threshold: %d, points: %d}%n".formatted(i,
                        pick(METRICS), 1 + random.nextInt(3), random.nextInt(3) == 0 ? -4 : 5));
            }
            if (random.nextBoolean()) {
                yaml.append("    maxPoints: %d%n".formatted(1 + random.nextInt(200)));
            }
        }
        switch (random.nextInt(3)) {
            case 0 -> yaml.append("streak: {evaluationMode: AND, metrics: {laps: 2, litres: 0.3}}\n");
            case 1 -> yaml.append("streak: {evaluationMode: OR, metrics: {laps: 3, falls: 1}}\n");
            default -> yaml.append("streak: {enabled: true}\n");
        }
        return yaml.toString();
    }

    /** The driver is closed, another one reads the same log: its stores and all it says must be the same, byte for byte. */
    private void restart() {
        collectOutputs();
        var contents = ledger.contents();
        List<Logged> log = List.copyOf(ledger.log());
        var answered = List.copyOf(ledger.answered());
        ledger.close();
        var before = List.copyOf(outputs);
        ledger = new LedgerDriver(published);
        ledger.assume(rules);
        outputs.clear();
        awardedByEffects.clear();
        completedByEffects.clear();
        log.forEach(record -> {
            ledger.pipe(record);
            collectOutputs();
        });
        assertEquals(contents, ledger.contents(), "the stores differ after a replay");
        assertEquals(before, outputs, "effects differ after a replay");
        assertEquals(answered, ledger.answered(), "answers differ after a replay");
    }

    private void collectOutputs() {
        for (JsonNode effect : ledger.effects()) {
            outputs.add(effect.toString());
            String user = effect.get("user").asString();
            switch (effect.get("type").asString()) {
                case "points.changed" -> {
                    long sum = 0;
                    for (JsonNode award : effect.get("awards")) {
                        sum += award.get("awarded").asLong();
                    }
                    assertEquals(effect.get("added").asLong(), sum, "awards of " + effect);
                    awardedByEffects.merge(user + " " + effect.get("systemKey").asString(), sum, Long::sum);
                }
                case "achievement.completed" -> assertTrue(
                        completedByEffects.add(user + " " + effect.get("achievementKey").asString()),
                        "completed twice: " + effect);
                default -> {
                    // streaks are compared with the model
                }
            }
        }
        ledger.replies();
        ledger.rejections();
    }

    private void checkAll() {
        int users = 0;
        for (int user = 0; user < USERS; user++) {
            Facts facts = models.get(user).facts();
            UserState state = ledger.reader().user(nameOf(user).getBytes(UTF_8));
            if (!facts.exists) {
                assertNull(state, "user " + user);
                continue;
            }
            users++;
            assertNotNull(state, "user " + user);
            checkUser(user, facts, state);
        }
        assertEquals(users, ledger.reader().userCount(TenantId.NONE), "users");
        rules.achievements().forEach(a -> assertEquals(models.stream()
                .filter(m -> m.facts().achievements.contains(a.key())).count(),
                ledger.reader().completionCount(TenantId.NONE, a.number()), "completions of " + a.key()));
    }

    private void checkUser(int user, Facts facts, UserState state) {
        String name = nameOf(user);
        rules.metrics().forEach(metric -> {
            MetricState counted = state.metrics().get(metric.number());
            BigDecimal total = facts.totals.getOrDefault(metric.key(), BigDecimal.ZERO);
            assertEquals(0, total.compareTo(counted == null ? BigDecimal.ZERO : counted.total()),
                    name + "'s total of " + metric.key());
            facts.days.getOrDefault(metric.key(), Map.of()).forEach((day, sum) -> assertEquals(0,
                    sum.compareTo(ledger.change(name, metric.number(), (int) day.toEpochDay(), counted)),
                    name + "'s " + metric.key() + " on " + day));
        });
        rules.pointsSystems().forEach(system -> {
            var points = state.points().get(system.number());
            long total = points == null ? 0 : points.total();
            assertEquals(facts.points.getOrDefault(system.key(), 0L), total, name + "'s " + system.key());
            List<Award> awards = AwardHistory.newest(state, historyOf(user), system.number(), Integer.MAX_VALUE);
            assertEquals(total, awards.stream().mapToLong(Award::awarded).sum(), name + "'s ledger of " + system.key());
            assertEquals(total, awardedByEffects.getOrDefault(name + " " + system.key(), 0L), name + "'s effects");
        });
        rules.achievements().forEach(a -> assertEquals(facts.achievements.contains(a.key()),
                state.completions().contains(a.number()), name + "'s " + a.key()));
        Instant asOf = facts.newest.isAfter(now) ? facts.newest : now;
        var present = UserEngine.advance(keyOf(user), state, compiled(), historyOf(user), asOf.toEpochMilli()).state();
        assertEquals(facts.lengthAt(asOf), present.streak().length(), name + "'s streak on " + facts.met);
        assertEquals(facts.newest.toEpochMilli(), state.newestMs(), name + "'s newest time");
    }

    private CompiledRuleset compiled() {
        return ledger.rules(TenantId.NONE);
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private UserHistory historyOf(int user) {
        return ledger.reader().historyOf(nameOf(user).getBytes(UTF_8), ledger::rulesOfVersion);
    }

    private static UserKey keyOf(int user) {
        return UserKey.of(nameOf(user));
    }

    private static String nameOf(int user) {
        return "user-" + user;
    }

    @Override
    public void close() {
        ledger.close();
    }
}
