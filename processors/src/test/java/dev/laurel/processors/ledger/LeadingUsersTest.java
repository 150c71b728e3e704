package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scores;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.ledger.LedgerTopology.LeadLimits;
import dev.laurel.processors.store.users.TopList;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Told;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A partition sends the first users of each group and run to the leaderboard, whatever happens to them. */
class LeadingUsersTest {

    private static final int LEAST = 3;
    private static final int MOST = 6;
    private static final LeadLimits LIMITS = new LeadLimits(new TopList.Size(MOST, 4), LEAST);
    private static final int USERS = 16;
    private static final int STEPS = 600;

    private LedgerDriver ledger = new LedgerDriver(new Published(), LIMITS);
    private final Set<String> users = new HashSet<>();

    /** What leaderboards know after the messages so far, by group and user. */
    private final Map<Place, Map<UserId, Standing>> known = new HashMap<>();

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");

    private record Place(int board, int run, List<String> group) {}

    static Stream<Integer> seeds() {
        return IntStream.range(0, 8).boxed();
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldTellOfTheFirstUsersOfEachGroup(int seed) {
        ledger.publish(
                ledger.published()
                        .add(TestLeaderboard.first(
                                "metrics: {laps: {}}\nattributes: {user: {city: {}}}",
                                TestLeaderboard.ofMetric(900, "laps"),
                                TestLeaderboard.ofMetric(901, "laps").every(2, RunUnit.DAY),
                                TestLeaderboard.ofMetric(902, "laps").by("city"),
                                TestLeaderboard.ofMetric(903, "laps").by("city").spread())),
                "2026-01-01T00:00:00Z");
        var random = new Random(seed);
        int untold = 0;
        for (int step = 0; step < STEPS; step++) {
            now = now.plus(Duration.ofMinutes(random.nextInt(30)));
            String user = "user-" + (char) ('a' + random.nextInt(USERS));
            if (random.nextInt(40) == 0 && users.remove(user)) {
                ledger.ask(user, "{\"type\":\"erase-user\",\"user\":{\"id\":\"" + user + "\"}}", now.toString());
                known.values().forEach(of -> of.remove(new UserId(user)));
            } else {
                event(user, random.nextInt(-6, 9), random.nextInt(12) == 0, random.nextInt(3), random.nextBoolean());
            }
            if (random.nextInt(50) == 0) {
                ledger.mark(new Tick(), now.toString());
            }
            if (random.nextInt(60) == 0) {
                hear(ledger.sent());
                ledger = ledger.restarted();
            }
            hear(ledger.told());
            untold += compare("seed " + seed + ", step " + step);
        }
        assertTrue(untold > STEPS, () -> "some users stay untold");
    }

    private void event(String user, int laps, boolean moves, int city, boolean isAsked) {
        boolean isNew = users.add(user);
        String attributes = isNew || moves ? ",\"attributes\":{\"city\":\"city-" + city + "\"}" : "";
        String json = "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + laps + ",\"user\":{\"id\":\"" + user + "\""
                + attributes + "}}";
        if (isAsked) {
            assertEquals(201, ledger.ask(user, json, now.toString()).status());
        } else {
            ledger.produce(user, json, now.toString());
        }
    }

    private void hear(List<Told> told) {
        for (Told one : told) {
            if (one.message() instanceof Scores(List<Scored> scores)) {
                scores.forEach(this::hear);
            }
        }
    }

    private void hear(Scored scored) {
        Map<UserId, Standing> of =
                known.computeIfAbsent(new Place(scored.board(), scored.run(), scored.group()), _ -> new HashMap<>());
        if (scored.value().signum() <= 0) {
            of.remove(scored.user());
        } else {
            of.put(scored.user(), new Standing(scored.user(), null, scored.value(), scored.changedMs()));
        }
    }

    /** Compares what is known of the newest runs with the users. @return how many standings are not known */
    private int compare(String when) {
        var truth = new HashMap<Place, Map<UserId, Standing>>();
        int newestRun = 0;
        for (String user : users) {
            UserState state = Objects.requireNonNull(ledger.reader().user(user.getBytes()));
            for (int i = 0; i < state.boards().size(); i++) {
                LeaderboardState of = state.boards().valueAt(i);
                newestRun = Math.max(newestRun, of.run());
                if (of.value().signum() > 0) {
                    var place = new Place(
                            state.boards().numberAt(i), of.run(), Objects.requireNonNullElse(of.group(), List.of()));
                    truth.computeIfAbsent(place, _ -> new HashMap<>())
                            .put(state.id(), new Standing(state.id(), null, of.value(), of.changedMs()));
                }
            }
        }
        int untold = 0;
        for (var of : truth.entrySet()) {
            var told = new TreeMap<UserId, Standing>(known.getOrDefault(of.getKey(), Map.of()));
            // Of users who have gone on to a later run, the state has only the later one.
            boolean isNewest = of.getKey().run() == 0 || of.getKey().run() == newestRun;
            if (isNewest) {
                assertEquals(
                        first(of.getValue()),
                        first(told),
                        () -> when + ": " + of.getKey() + " of " + of.getValue().values());
                assertTrue(
                        of.getValue().values().containsAll(told.values()), () -> when + ": " + told + " is outdated");
                assertTrue(told.size() <= MOST, () -> when + ": " + told);
                untold += of.getValue().size() - told.size();
            }
        }
        return untold;
    }

    private static List<Standing> first(Map<UserId, Standing> users) {
        return users.values().stream().sorted().limit(LEAST).toList();
    }
}
