package dev.laurel.processors.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A rule case: its steps in order, each with its expectations. */
final class RuleCase {

    private static final String BEFORE_ALL = "1970-01-01T00:00:00.001Z";
    private static final Set<String> STEP_FIELDS = Set.of(
            "at",
            "direct",
            "tick",
            "hold",
            "release",
            "ruleset",
            "refused",
            "read",
            "reply",
            "effects",
            "rejected",
            "user",
            "streak",
            "points",
            "metrics",
            "achievements",
            "counts",
            "counters",
            "history",
            "boosts",
            "eventSummary",
            "wrapped",
            "leaderboards",
            "rankings",
            "boardEffects",
            "figures",
            "messages");

    /** Null unless the ruleset of the file has leaderboards. */
    private static final Set<String> BOARD_FIELDS = Set.of("leaderboards", "rankings", "boardEffects", "figures");

    /** The commands of the log by type: such a field contains the command's other fields. */
    private static final Set<String> COMMANDS = Set.of(
            "event",
            "identify",
            "complete",
            "preferences",
            "grant-freeze",
            "plan-pause",
            "delete-pause",
            "restore-streak",
            "reset-streak",
            "grant-boost",
            "change-boost",
            "revoke-boost",
            "test-message",
            "drop-device-tokens",
            "record-reaction",
            "run-finished",
            "erase-user",
            "delete-owned-pause",
            "change-owned-boost",
            "revoke-owned-boost");

    /** The commands without a user and without a key. */
    private static final Set<String> OWNED = Set.of("delete-owned-pause", "change-owned-boost", "revoke-owned-boost");

    private final LedgerDriver ledger;
    private final CaseLeaderboards boards;
    private final Published published;
    private final TenantId tenant;
    private final JsonNode rule;
    private final JsonNode described;
    private final Expectation expectation = new Expectation();

    /** @param boards null if there are none */
    RuleCase(
            LedgerDriver ledger,
            CaseLeaderboards boards,
            Published published,
            String tenant,
            JsonNode rule,
            JsonNode described) {
        this.ledger = ledger;
        this.boards = boards;
        this.published = published;
        this.tenant = new TenantId(tenant);
        this.rule = rule;
        this.described = described;
    }

    void run() {
        publish(described.has("ruleset") ? described.get("ruleset") : rule.get("ruleset"), BEFORE_ALL);
        int number = 0;
        for (JsonNode step : described.get("steps")) {
            String where = "step " + ++number + " " + step;
            step.propertyNames()
                    .forEach(f -> assertTrue(
                            STEP_FIELDS.contains(f) || COMMANDS.contains(f), "unknown field " + f + " in " + where));
            ledger.replies();
            ledger.effects();
            ledger.rejections();
            ledger.outbox();
            take(step, where);
            if (step.has("messages")) {
                expectation.expect(
                        step.get("messages"), CaseMessages.of(ledger, published, tenant), where + ": messages");
            }
            if (boards != null) {
                expectOfBoards(step, where);
            } else {
                assertTrue(BOARD_FIELDS.stream().noneMatch(step::has), "there are no leaderboards in " + where);
            }
        }
    }

    private void take(JsonNode step, String where) {
        String at = step.has("at") ? step.get("at").asString() : BEFORE_ALL;
        if (step.has("read")) {
            read(step, Instant.parse(at).toEpochMilli(), where);
        } else if (step.has("ruleset")) {
            boolean isAsAbove = step.get("ruleset").isString();
            JsonNode source = isAsAbove ? rule.get("ruleset") : step.get("ruleset");
            if (step.has("refused")) {
                var refusal = assertThrows(IllegalArgumentException.class, () -> publish(source, at), where);
                assertTrue(
                        refusal.getMessage().contains(step.get("refused").asString()),
                        refusal.getMessage() + " in " + where);
            } else {
                publish(source, at);
            }
        } else if (step.has("tick")) {
            if (boards == null) {
                ledger.tickUntilQuiet(at);
            } else {
                boards.tickUntilQuiet(at);
            }
            expectEffects(step, where);
        } else if (step.has("hold")) {
            marker(new TimersHeld(step.get("hold").asString()), step, at, where);
        } else if (step.has("release")) {
            marker(new TimersReleased(step.get("release").asString()), step, at, where);
        } else {
            String type = COMMANDS.stream().filter(step::has).findFirst().orElse(null);
            assertTrue(type != null, "nothing is done in " + where);
            command(type, step, at, where);
        }
    }

    private void publish(JsonNode source, String at) {
        Ruleset before = published.newest(tenant);
        Ruleset next = TestRulesets.next(
                before, RulesetSource.of(TestRulesets.YAML.treeToValue(source, Map.class)), Instant.parse(at));
        published.add(next);
        ledger.publish(next, at);
    }

    private void marker(LogCommand marker, JsonNode step, String at, String where) {
        ledger.mark(marker, at);
        expectEffects(step, where);
    }

    private void command(String type, JsonNode step, String at, String where) {
        ObjectNode command = step.get(type).deepCopy().asObject();
        command.put("type", type);
        String key = null;
        if (OWNED.contains(type)) {
            command.put("tenant", tenant.value());
        } else {
            JsonNode user = command.get("user");
            if (user == null || user.isString()) {
                command.putObject("user").put("id", user == null ? "ann" : user.asString());
            }
            key = keyOf(command.get("user").get("id").asString()).text();
        }
        if (command.path("email").asString("").equals("newest")) {
            command.put(
                    "email",
                    MessageDelivery.idOf(ledger.newestMessage().id(), NotificationChannel.EMAIL)
                            .toString());
        }
        if (type.equals("run-finished")) {
            LeaderboardRules board =
                    ledger.rules(tenant).board(command.get("leaderboard").asString());
            LocalDate date = LocalDate.parse(command.get("run").asString());
            command.put("leaderboard", board.number());
            command.put("run", board.runs().runOf(Math.toIntExact(date.toEpochDay())));
        }
        String json = new String(Json.write(command), UTF_8);
        if (step.has("rejected") || step.has("direct")) {
            ledger.produce(key, json, at);
            List<JsonNode> rejections = ledger.rejections();
            assertEquals(step.has("rejected") ? 1 : 0, rejections.size(), "rejections in " + where);
            if (step.has("rejected")) {
                String reason = rejections.getFirst().get("reason").asString();
                assertTrue(reason.contains(step.get("rejected").asString()), reason + " in " + where);
            }
        } else {
            LedgerDriver.Reply reply = ledger.ask(key, json, at);
            assertTrue(ledger.rejections().isEmpty(), "who waits is answered, and yet it was put aside: " + where);
            if (boards != null) {
                ObjectNode answers = boards.answersTo(reply, where);
                if (step.has("leaderboards")) {
                    expectation.expect(step.get("leaderboards"), answers, where + ": leaderboards");
                }
            }
            if (step.has("reply")) {
                ObjectNode body = reply.body().asObject();
                body.put("status", reply.status());
                expectation.expect(step.get("reply"), body, where + ": reply");
            } else {
                assertTrue(reply.status() < 300, "refused in " + where + ": " + reply.body());
            }
        }
        expectEffects(step, where);
    }

    /** Checks the expectations of a step about leaderboards: their effects and rankings. */
    private void expectOfBoards(JsonNode step, String where) {
        assertTrue(
                !step.has("leaderboards") || step.has("read") || step.has("event"),
                "only an event's answer and reads have leaderboards, not " + where);
        boards.follow();
        if (step.has("boardEffects")) {
            ArrayNode effects = Json.mapperForTools().createArrayNode().addAll(boards.effects());
            expectation.expect(step.get("boardEffects"), effects, where + ": boardEffects");
        }
        boards.effects();
        if (step.has("rankings")) {
            long atMs = Instant.parse(step.get("at").asString()).toEpochMilli();
            step.get("rankings").properties().forEach(asked -> {
                LeaderboardRules board = ledger.rules(tenant).board(asked.getKey());
                for (JsonNode one : asked.getValue().isArray() ? asked.getValue() : List.of(asked.getValue())) {
                    expectation.expect(
                            one.get("places"),
                            boards.ranking(tenant, board, one, atMs),
                            where + ": rankings." + asked.getKey());
                }
            });
        }
        if (step.has("figures")) {
            long atMs = Instant.parse(step.get("at").asString()).toEpochMilli();
            step.get("figures")
                    .properties()
                    .forEach(asked -> expectation.expect(
                            asked.getValue(),
                            boards.figures(tenant, ledger.rules(tenant).board(asked.getKey()), asked.getValue(), atMs),
                            where + ": figures." + asked.getKey()));
        }
    }

    private void expectEffects(JsonNode step, String where) {
        if (step.has("effects")) {
            ArrayNode effects = Json.mapperForTools().createArrayNode().addAll(ledger.effectsOf(tenant));
            expectation.expect(step.get("effects"), effects, where + ": effects");
        }
    }

    private UserKey keyOf(String user) {
        return new UserKey(tenant, new UserId(user));
    }

    /** Checks the results of the read API at that time. */
    private void read(JsonNode step, long atMs, String where) {
        UserReader reader = ledger.reader();
        CompiledRuleset rules = ledger.rules(tenant);
        UserKey key = keyOf(step.get("read").asString());
        UserState stored = reader.user(key.bytes());
        if (step.has("counts")) {
            expectation.expect(step.get("counts"), counts(ledger.counters(), rules), where + ": counts");
        }
        if (step.has("counters")) {
            new CaseCounters(ledger.counters(), rules, tenant).expect(step.get("counters"), where);
        }
        if (step.has("user") && step.get("user").isNull()) {
            assertEquals(null, stored, "the user in " + where);
            return;
        }
        if (stored == null) {
            fail("there is no such user in " + where);
        }
        UserHistory history = reader.historyOf(key.bytes(), this::rules);
        var advanced = UserEngine.advance(key, stored, rules, history, atMs);
        UserState now = advanced.state();
        var shown = new HistoryOverlay(history, advanced.writes());
        var seen = Json.mapperForTools().createObjectNode();
        seen.set("user", tree(Bodies.user(now)));
        seen.set("preferences", tree(Bodies.preferences(now.preferences(), rules)));
        int periods = step.has("history") ? step.get("history").size() : 7;
        seen.set("streak", tree(StreakBodies.streak(now, rules, shown, atMs, periods, null)));
        seen.set("history", seen.get("streak").get("streakHistory"));
        seen.set("points", points(rules, key, now, shown, atMs));
        seen.set("metrics", metrics(rules, now));
        seen.set("achievements", achievements(rules, now));
        seen.set("boosts", Summaries.boosts(now, rules, Bodies.today(now, rules, atMs)));
        if (step.has("eventSummary")) {
            JsonNode asked = step.get("eventSummary");
            expectation.expect(
                    asked.get("shows"), Summaries.ofEvents(asked, now, shown, rules), where + ": eventSummary");
        }
        if (step.has("wrapped")) {
            expectation.expect(
                    step.get("wrapped").get("shows"),
                    Summaries.ofYear(step.get("wrapped"), now, shown, rules, atMs),
                    where + ": wrapped");
        }
        if (step.has("leaderboards")) {
            expectation.expect(
                    step.get("leaderboards"),
                    boards.ofUser(
                            tenant, rules, key.user(), Bodies.today(now, rules, atMs), Instant.ofEpochMilli(atMs)),
                    where + ": leaderboards");
        }
        for (String field :
                List.of("user", "preferences", "streak", "history", "points", "metrics", "achievements", "boosts")) {
            if (step.has(field)) {
                expectation.expect(step.get(field), seen.get(field), where + ": " + field);
            }
        }
    }

    private ObjectNode counts(AccountCounters account, CompiledRuleset rules) {
        var counts = Json.mapperForTools().createObjectNode();
        counts.put("users", ledger.userCount(tenant));
        ObjectNode completions = counts.putObject("completions");
        rules.document()
                .achievements()
                .forEach(a -> completions.put(a.key(), ledger.completionCount(tenant, a.number())));
        counts.set("ranges", Summaries.ranges(account, tenant, rules));
        counts.set("levels", Summaries.levels(account, tenant, rules));
        return counts;
    }

    private CompiledRuleset rules(long version) {
        Ruleset document = published.version(tenant, version);
        return document == null ? null : new CompiledRuleset(document);
    }

    private ObjectNode points(CompiledRuleset rules, UserKey key, UserState now, UserHistory history, long atMs) {
        var points = Json.mapperForTools().createObjectNode();
        for (PointsSystem system : rules.document().pointsSystems()) {
            var awards = new ArrayList<AwardBody>();
            for (Award award : now.newestAwards(history, system.number(), 100)) {
                awards.add(PointsBodies.award(
                        key, system, award, rules(award.rulesetVersion()), Bodies.today(now, rules, atMs)));
            }
            points.set(system.key(), tree(PointsBodies.ofUser(now, system, awards)));
        }
        return points;
    }

    private static ObjectNode metrics(CompiledRuleset rules, UserState now) {
        var metrics = Json.mapperForTools().createObjectNode();
        rules.metrics().forEach(metric -> metrics.set(metric.key(), tree(Bodies.metric(now, metric, rules))));
        return metrics;
    }

    /** The time of each completion, by key. */
    private static ObjectNode achievements(CompiledRuleset rules, UserState now) {
        var achievements = Json.mapperForTools().createObjectNode();
        rules.document()
                .achievements()
                .forEach(a -> achievements.set(
                        a.key(), tree(AchievementBodies.of(now, a, rules)).get("achievedAt")));
        return achievements;
    }

    private static JsonNode tree(Object body) {
        return Json.mapperForTools().readTree(Json.write(body));
    }
}
