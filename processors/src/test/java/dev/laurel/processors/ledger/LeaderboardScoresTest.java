package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scores;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores.Team;
import dev.laurel.core.leaderboard.Score.Kind;
import dev.laurel.processors.ledger.LedgerTopology.LeadLimits;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardKeys;
import dev.laurel.processors.store.users.TopList;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Told;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.Leaderboard.TeamScore;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The scores that a command sends to leaderboards, and the answers that its client awaits from them. */
class LeaderboardScoresTest {

    private static final String NOON = "2026-03-04T12:00:00Z";
    private static final String LATER = "2026-03-04T15:00:00Z";

    @AutoClose
    private LedgerDriver ledger = new LedgerDriver(new Published());

    private void rank(TestLeaderboard... boards) {
        ledger.publish(
                ledger.published()
                        .add(TestLeaderboard.first("{metrics: {laps: {}}, attributes: {user: {club: {}}}}", boards)),
                "2026-01-01T00:00:00Z");
        ledger.told();
    }

    private static TestLeaderboard all() {
        return TestLeaderboard.ofMetric(900, "laps");
    }

    private static TestLeaderboard daily() {
        return TestLeaderboard.ofMetric(901, "laps").every(1, RunUnit.DAY);
    }

    private static String laps(int laps) {
        return "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps + ",\"user\":{\"id\":\"ann\"}}";
    }

    private static String keyed() {
        return laps(4).replace("\"type\"", "\"idempotencyKey\":\"k\",\"type\"");
    }

    private static void assertValue(String expected, Kind kind, Told told) {
        Scored scored = ((Scores) told.message()).scores().getLast();
        assertEquals(0, new BigDecimal(expected).compareTo(scored.value()), scored.toString());
        assertEquals(kind, scored.kind());
    }

    @Test
    void shouldLetLeaderboardsCompleteTheAnswer() {
        rank(daily(), all());
        var reply = ledger.ask("ann", laps(4), NOON);

        assertEquals(201, reply.status());
        assertEquals(List.of("board-901", "board-900"), reply.awaits());
        assertNull(reply.body().get("leaderboards"));
        List<Told> told = ledger.told();
        assertEquals(2, told.size());
        for (Told score : told) {
            assertEquals(reply.requestId(), score.replyTo().requestId());
            assertValue("4", Kind.CHANGED, score);
        }
        assertEquals(new ScoreKey(TenantId.NONE, 901, 0), told.getFirst().key());
        assertEquals(new Origin(0, 1), told.getFirst().origin());
        assertEquals(Instant.parse(NOON), told.getFirst().at());
    }

    @Test
    void shouldSendTheWaitingClientToTheLeaderboards() {
        rank(all());
        ledger.produce("ann", laps(4), NOON);

        List<Told> told = ledger.told();
        assertEquals(1, told.size());
        assertNull(told.getFirst().replyTo());
    }

    @Test
    void shouldSendScoresThatNobodyWaitsForTogetherAndTheNewestOfEachUser() {
        rank(daily());
        ledger.produce("ann", laps(4), NOON);
        ledger.produce("ann", laps(2), NOON);
        ledger.produce("bob", laps(1).replace("ann", "bob"), NOON);

        List<Told> told = ledger.told();
        assertEquals(1, told.size());
        assertEquals(new Origin(0, 3), told.getFirst().origin());
        List<Scored> scores = ((Scores) told.getFirst().message()).scores();
        assertEquals(
                List.of("ann 6", "bob 1"),
                scores.stream().map(one -> one.user() + " " + one.value()).toList());
        assertEquals(List.of(), ledger.told());
    }

    @Test
    void shouldSendWhatIsCollectedBeforeAScoreThatAClientWaitsFor() {
        rank(daily());
        ledger.produce("bob", laps(1).replace("ann", "bob"), NOON);
        ledger.ask("ann", laps(4), NOON);

        List<Told> told = ledger.told();
        assertValue("1", Kind.CHANGED, told.getFirst());
        assertValue("4", Kind.CHANGED, told.getLast());
        assertEquals(told.getFirst().origin(), told.getLast().origin());
        assertEquals(2, told.size());
    }

    @Test
    void shouldSendAfterARestartWhatWasCollected() {
        rank(daily());
        ledger.produce("ann", laps(4), NOON);
        ledger = ledger.restarted();
        List<Told> told = ledger.told();
        assertValue("4", Kind.CHANGED, told.getFirst());
        assertEquals(new Origin(0, 1), told.getFirst().origin());
        assertEquals(List.of(), ledger.told());
    }

    @Test
    void shouldAnswerARepeatedKeyWithTheCurrentState() {
        rank(all());
        ledger.ask("ann", keyed(), NOON);
        ledger.told();
        var repeated = ledger.ask("ann", keyed(), LATER);

        assertEquals(202, repeated.status());
        assertEquals(List.of("board-900"), repeated.awaits());
        Told told = ledger.told().getFirst();
        assertValue("4", Kind.SAME, told);
        assertEquals(repeated.requestId(), told.replyTo().requestId());

        ledger.produce("ann", keyed(), LATER);
        assertEquals(List.of(), ledger.told());
    }

    @Test
    void shouldAwaitUnchangedRanksForAnEvent() {
        rank(all());
        ledger.ask("ann", laps(4), NOON);
        ledger.told();
        assertEquals(List.of("board-900"), ledger.ask("ann", laps(0), LATER).awaits());
        assertValue("4", Kind.SAME, ledger.told().getFirst());

        ledger.produce("ann", laps(0), LATER);
        assertEquals(List.of(), ledger.told());
    }

    @Test
    void shouldSendANewNameWithoutAwaitingAnAnswer() {
        rank(all());
        ledger.ask("ann", laps(4), NOON);
        ledger.told();
        var reply = ledger.ask("ann", "{\"type\":\"identify\",\"user\":{\"id\":\"ann\",\"name\":\"Ann A.\"}}", LATER);

        assertEquals(200, reply.status());
        assertEquals(List.of(), reply.awaits());
        Told told = ledger.told().getFirst();
        assertEquals("Ann A.", ((Scores) told.message()).scores().getLast().name());
        assertEquals(Kind.RENAMED, ((Scores) told.message()).scores().getLast().kind());
        assertNull(told.replyTo());
    }

    @Test
    void shouldSendChangesOfATickBeforeItsTime() {
        rank(TestLeaderboard.ofStreak(902));
        ledger.produce("ann", laps(1), NOON);
        ledger.told();
        ledger.askTick("2026-03-06T00:00:00Z");

        List<Told> told = ledger.told();
        assertEquals(3, told.size());
        assertValue("0", Kind.CHANGED, told.getFirst());
        assertNull(told.getFirst().replyTo());
        for (Told moved : told.subList(1, 3)) {
            assertEquals(new ClockMoved(Instant.parse("2026-03-06T00:00:00Z").toEpochMilli()), moved.message());
            assertNotNull(moved.replyTo());
            assertEquals(told.getFirst().origin(), moved.origin());
        }
    }

    @Test
    void shouldNotCountForARunThatATickHasMadeFinal() {
        rank(daily());
        ledger.produce("ann", laps(4), NOON);
        ledger.mark(new Tick(), "2026-03-05T11:59:59.999Z");
        ledger.told();
        ledger.produce("ann", laps(1), NOON);
        assertValue("5", Kind.CHANGED, ledger.told().getFirst());

        ledger.mark(new Tick(), "2026-03-05T12:00:00Z");
        ledger.told();
        ledger.produce("ann", laps(1), NOON);
        assertEquals(List.of(), ledger.told());
    }

    @Test
    void shouldSendChangesOfAnOlderRunAndTheStateOfTheCurrentOne() {
        rank(daily());
        ledger.produce("ann", laps(4), "2026-03-03T12:00:00Z");
        ledger.produce("ann", laps(9), NOON);
        ledger.told();
        var reply = ledger.ask("ann", laps(1), "2026-03-03T13:00:00Z");

        assertEquals(List.of("board-901"), reply.awaits());
        List<Told> told = ledger.told();
        assertEquals(2, told.size());
        for (Told score : told) {
            Scored scored = ((Scores) score.message()).scores().getLast();
            assertValue(scored.isCurrent() ? "9" : "5", scored.isCurrent() ? Kind.SAME : Kind.CHANGED, score);
            assertEquals(scored.isCurrent(), score.replyTo() != null);
        }
    }

    // Teams.

    private static TestLeaderboard teams() {
        return TestLeaderboard.ofMetric(904, "laps").inTeamsBy("club", TeamScore.SUM, null, 1);
    }

    private static String laps(int laps, String user, String club) {
        return laps(laps).replace("\"ann\"", "\"" + user + "\",\"attributes\":{\"club\":\"" + club + "\"}");
    }

    /** The parts and scores of messages, those of a message in brackets. */
    private String toldOfTeams() {
        return ledger.told().stream()
                .map(Told::message)
                .filter(message -> !(message instanceof ClockMoved))
                .map(message -> message instanceof TeamScores(List<Team> parts, List<Scored> scores)
                        ? parts.stream()
                                        .map(part -> part.group().run()
                                                + part.group().team() + " "
                                                + part.part().changes() + " "
                                                + part.part().members() + " "
                                                + part.part().sum())
                                        .toList()
                                + "" + scores.stream().map(Scored::user).toList()
                        : message.toString())
                .collect(Collectors.joining(" "));
    }

    @Test
    void shouldSendThePartOfATeamWithTheScoreThatAClientWaitsFor() {
        rank(teams());
        ledger.ask("ann", laps(4, "ann", "Otters"), NOON);
        assertEquals("[0Otters 1 1 4][ann]", toldOfTeams());
        ledger.produce("bea", laps(3, "bea", "Seals"), NOON);
        ledger.produce("cid", laps(2, "cid", "Otters"), NOON);
        ledger.ask("ann", laps(1, "ann", "Otters"), LATER);
        assertEquals("[0Seals 1 1 3][bea, cid] [0Otters 3 2 7][ann]", toldOfTeams());
    }

    @Test
    void shouldSendThePartsOfBothTeamsOfAMove() {
        rank(teams());
        ledger.ask("ann", laps(4, "ann", "Otters"), NOON);
        toldOfTeams();
        ledger.ask("ann", laps(1, "ann", "Seals"), LATER);
        assertEquals("[0Otters 2 0 0, 0Seals 1 1 5][ann, ann]", toldOfTeams());
    }

    @Test
    void shouldSendThePartOfUsersWhoDoNotLead() {
        ledger.close();
        ledger = new LedgerDriver(new Published(), new LeadLimits(new TopList.Size(1, 1), 1));
        rank(teams());
        ledger.produce("ann", laps(4, "ann", "Otters"), NOON);
        ledger.produce("bea", laps(3, "bea", "Otters"), NOON);
        toldOfTeams();

        assertEquals(
                List.of(), ledger.ask("bea", laps(0, "bea", "Otters"), LATER).awaits());
        assertEquals("", toldOfTeams());
        assertEquals(
                List.of(), ledger.ask("bea", laps(-1, "bea", "Otters"), LATER).awaits());
        assertEquals("[0Otters 3 2 6][]", toldOfTeams());
    }

    @Test
    void shouldKeepPartsAcrossARestart() {
        rank(teams());
        ledger.produce("ann", laps(4, "ann", "Otters"), NOON);
        ledger = ledger.restarted();
        assertEquals("[0Otters 1 1 4][ann]", toldOfTeams());
        ledger.produce("bea", laps(3, "bea", "Otters"), NOON);
        assertEquals("[0Otters 2 2 7][bea]", toldOfTeams());
    }

    private String storedParts() {
        var parts = new ArrayList<String>();
        try (var all = ledger.store(StoreNames.PARTITION_STATE).range(StoreKeys.kind('g'), StoreKeys.kind('g' + 1))) {
            all.forEachRemaining(entry -> {
                LeaderboardGroup team = LeaderboardKeys.groupOf(entry.key);
                parts.add(team.run() + team.team());
            });
        }
        return String.join(" ", parts);
    }

    @Test
    void shouldDeleteThePartsOfFinalRunsWhenATeamIsNew() {
        rank(teams().every(1, RunUnit.DAY));
        ledger.produce("ann", laps(4, "ann", "Otters"), "2026-03-03T12:00:00Z");
        ledger.produce("ann", laps(4, "ann", "Otters"), NOON);
        ledger.mark(new Tick(), "2026-03-05T11:00:00Z");
        assertEquals("20515Otters 20516Otters", storedParts());
        ledger.produce("ann", laps(4, "ann", "Seals"), "2026-03-05T11:30:00Z");
        assertEquals("20516Otters 20517Seals", storedParts());
        ledger.publish(
                ledger.published()
                        .add(TestLeaderboard.next(
                                ledger.published().newest(TenantId.NONE),
                                "metrics: {laps: {}}",
                                Instant.parse(LATER),
                                all())),
                "2026-03-05T12:00:00Z");
        assertEquals("", storedParts());
    }
}
