package dev.laurel.processors.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.topology.LeaderboardsDriver;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The real leaderboards behind a case's ledger. They process its scores at once. One for
 * each case, since their time only moves forward.
 */
final class CaseLeaderboards implements AutoCloseable {

    /** A limit above the size of any ranking or history of the cases. */
    private static final int MOST = 1000;

    private final LedgerDriver ledger;
    private final LeaderboardsDriver boards;

    CaseLeaderboards(LedgerDriver ledger, Published published) {
        this.ledger = ledger;
        this.boards = new LeaderboardsDriver(published, 1);
    }

    /**
     * Processes what the ledger has sent since the last call, and lets the ledger process the commands that follow from it.
     *
     * @return the answers to waiting callers, by name
     */
    private Map<String, JsonNode> hear() {
        var answers = new HashMap<String, JsonNode>();
        ledger.told().forEach(boards::deliver);
        boards.parts().forEach(part -> answers.put(part.name(), part.body()));
        boards.round();
        boards.commands().forEach(ledger::pipe);
        assertEquals(List.of(), ledger.rejections(), "rejections of commands from leaderboards");
        return answers;
    }

    /** Processes a command without a waiting caller, or without leaderboards in its answer. */
    void follow() {
        hear();
    }

    /** The leaderboards in the answer to a command, by key; leaderboards without the user are left out. */
    ObjectNode answersTo(LedgerDriver.Reply reply, String where) {
        Map<String, JsonNode> answers = hear();
        assertEquals(
                new TreeSet<>(reply.awaits()),
                new TreeSet<>(answers.keySet()),
                "the leaderboards that answer in " + where);
        var shown = Json.mapperForTools().createObjectNode();
        reply.awaits().stream()
                .filter(key -> answers.get(key) != null)
                .forEach(key -> shown.set(key, answers.get(key)));
        return shown;
    }

    /** Moves the clock of the ledger and of the leaderboards to this time. */
    void tickUntilQuiet(String at) {
        boolean isMoreDue = true;
        while (isMoreDue) {
            ledger.tickUntilQuiet(at);
            isMoreDue =
                    hear().values().stream().anyMatch(body -> body.get("more").asBoolean());
        }
    }

    /** The effects since the last call. */
    List<JsonNode> effects() {
        return boards.effects();
    }

    /**
     * A ranking as {@code [[user, value], …]}, best first; an entry with a name has it as a third element. On a leaderboard with teams,
     * that of a group without a team is {@code [[team, members, value], …]}.
     *
     * @param asked the {@code run}, a date in it, if it is not that of the day in UTC, and the {@code group}, if there is one
     */
    ArrayNode ranking(TenantId tenant, LeaderboardRules rules, JsonNode asked, long atMs) {
        int run = run(rules, asked, atMs);
        List<String> group = asked.has("group")
                ? asked.get("group").valueStream().map(JsonNode::asString).toList()
                : List.of();
        var asksFor = new LeaderboardGroup(tenant, rules.number(), run, group);
        ArrayNode places = Json.mapperForTools().createArrayNode();
        if (rules.board().teams() != null && group.size() == rules.keys().size() - 1) {
            boards.reads()
                    .teams(asksFor)
                    .bestFirst()
                    .forEach(team -> places.addArray()
                            .add(team.name())
                            .add(team.members())
                            .add(team.value()));
            return places;
        }
        assertEquals(rules.keys().size(), group.size(), "values of the group in " + asked);
        Ranking ranking = boards.reads().ranking(asksFor, MOST);
        for (int rank = 1; rank <= ranking.size(); rank++) {
            Standing standing = ranking.at(rank);
            ArrayNode place = places.addArray().add(standing.user().value()).add(standing.value());
            if (standing.name() != null) {
                place.add(standing.name());
            }
        }
        return places;
    }

    private static int run(LeaderboardRules rules, JsonNode asked, long atMs) {
        LocalDate date = asked.has("run")
                ? LocalDate.parse(asked.get("run").asString())
                : LocalDate.ofInstant(Instant.ofEpochMilli(atMs), ZoneOffset.UTC);
        int run = rules.runs().runOf(Math.toIntExact(date.toEpochDay()));
        assertNotEquals(Runs.NONE, run, "a run on " + date + " for " + asked);
        return run;
    }

    /** The figures of a run. @param asked the {@code run}, a date in it, if it is not that of the day in UTC */
    ObjectNode figures(TenantId tenant, LeaderboardRules rules, JsonNode asked, long atMs) {
        int run = run(rules, asked, atMs);
        RunFigures figures = boards.reads().figures(tenant, rules.number(), run);
        ObjectNode shown = Json.mapperForTools().createObjectNode();
        shown.put("run", asked.path("run").asString(""));
        shown.put("participants", figures.participants())
                .put("changedRank", figures.changedRank())
                .put("lowest", figures.lowest())
                .put("highest", figures.highest());
        ArrayNode histogram = shown.putArray("histogram");
        for (int range = 1; range <= RunFigures.RANGES; range++) {
            long count = figures.histogram().get(range - 1);
            if (count != 0) {
                histogram.addArray().add(range).add(count);
            }
        }
        ArrayNode changes = shown.putArray("rankChanges");
        figures.rankChanges()
                .forEach(day -> changes.addArray()
                        .add(LocalDate.ofEpochDay(day.day()).toString())
                        .add(day.count()));
        return shown;
    }

    /** The results of reads of the user on each leaderboard, by key, in any status. */
    ObjectNode ofUser(TenantId tenant, CompiledRuleset rules, UserId user, int today, Instant now) {
        var shown = Json.mapperForTools().createObjectNode();
        for (LeaderboardRules board : rules.boards()) {
            LocalDate end = board.board().end();
            int day = end == null ? today : Math.toIntExact(Math.min(today, end.toEpochDay()));
            int run = board.runs().runOf(day);
            ObjectNode body = shown.putObject(board.board().key());
            body.put("status", board.board().statusAt(now).name().toLowerCase(Locale.ROOT));
            List<String> values =
                    board.isBrokenDown() ? boards.reads().groupOf(tenant, board.number(), run, user) : List.of();
            ArrayNode history = body.putArray("history");
            if (values == null) {
                body.putNull("group").putNull("rank").putNull("value");
                continue;
            }
            var group = new LeaderboardGroup(tenant, board.number(), run, values);
            Ranking ranking = boards.reads().ranking(group, MOST);
            int rank = ranking.rankOf(user);
            ArrayNode groupValues = body.putArray("group");
            values.forEach(groupValues::add);
            body.put("rank", rank == 0 ? null : (Integer) rank);
            body.put("value", rank == 0 ? null : ranking.at(rank).value());
            for (DayEnd dayEnd : boards.reads().dayEnds(group, user, MOST)) {
                history.addObject()
                        .put("date", LocalDate.ofEpochDay(dayEnd.day()).toString())
                        .put("rank", dayEnd.rank())
                        .put("value", dayEnd.value());
            }
        }
        return shown;
    }

    @Override
    public void close() {
        boards.close();
        ledger.close();
    }
}
