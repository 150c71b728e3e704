package dev.laurel.processors.boardsim;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.LeaderboardsChange;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** A random history of users, clocks, rules and accidents, the same for the same seed. */
final class LeaderboardSimulation {

    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/London",
            "America/New_York",
            "Asia/Kolkata",
            "Pacific/Auckland",
            "Pacific/Apia",
            "Pacific/Honolulu",
            "Pacific/Kiritimati",
            "Pacific/Pago_Pago");
    private static final List<String> AMOUNTS =
            List.of("1", "1", "1", "1", "2", "2", "3", "7", "0.1", "0.25", "-1", "-1", "-3", "0", "1.50");
    private static final List<String> BEGINNINGS = List.of(
            "2025-02-24T00:00:00Z",
            "2024-02-25T00:00:00Z",
            "2024-10-24T00:00:00Z",
            "2025-12-20T00:00:00Z",
            "2025-03-27T00:00:00Z");
    private static final int USERS = 27;

    private final Random random;
    private final boolean hasStreak;

    /** Whether leaderboards are killed. */
    private final boolean hasKills;

    private final LeaderboardRulebook rulebook;
    private final LeaderboardWorld world;
    private final Map<String, String> homes = new HashMap<>();
    private Instant now;
    private int events;

    private LeaderboardSimulation(long seed) {
        random = new Random(seed);
        hasStreak = random.nextBoolean();
        hasKills = random.nextBoolean();
        now = Instant.parse(pick(BEGINNINGS));
        rulebook = new LeaderboardRulebook(random, hasStreak, now);
        world = new LeaderboardWorld();
    }

    static void run(long seed, int steps) {
        var simulation = new LeaderboardSimulation(seed);
        int step = 0;
        try (var world = simulation.world) {
            world.publish(simulation.rulebook.first(), simulation.rulebook.boards(), simulation.now, false);
            for (step = 1; step <= steps; step++) {
                simulation.step();
                if (step % 100 == 0) {
                    world.checkAtRest();
                }
            }
            world.checkAtRest();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "-Dlaurel.simulation.seed=" + seed + " -Dlaurel.simulation.steps=" + steps + ", step " + step
                            + " at " + simulation.now + ": " + e.getMessage(),
                    e);
        }
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    private void step() {
        resume();
        int roll = random.nextInt(100);
        if (roll < 8) {
            boolean isEverywhere = percent(85);
            LeaderboardWorld.Log one = pick(world.logs());
            for (LeaderboardWorld.Log log : world.logs()) {
                if (isEverywhere || log == one) {
                    log.tick(now.toEpochMilli());
                }
            }
        } else if (roll < 9) {
            world.publish(rulebook.next(now), rulebook.boards(), now, hasKills && percent(50));
        } else if (roll < 94) {
            command();
        } else {
            accident();
        }
        // Each partition of the log and of the leaderboards makes some progress.
        for (LeaderboardWorld.Log log : world.logs()) {
            if (percent(60)) {
                log.flush(random.nextInt(6));
            }
            if (percent(30)) {
                log.flushCollected();
            }
            if (percent(10)) {
                log.commit();
            }
        }
        for (LeaderboardWorld.Boards boards : world.boards()) {
            for (int i = random.nextInt(6); i > 0; i--) {
                boards.deliver();
            }
            if (percent(40)) {
                boards.passTime(Duration.ofMillis(random.nextInt(300)));
            }
            if (percent(10)) {
                boards.commit();
            }
        }
    }

    private void resume() {
        int roll = random.nextInt(1000);
        if (roll < 850) {
            now = now.plusSeconds(random.nextInt(2 * 3600));
        } else if (roll < 856) {
            now = now.plusSeconds(random.nextInt(2 * 86_400));
        }
    }

    private void accident() {
        int roll = random.nextInt(100);
        if (roll < 25) {
            pick(world.logs()).abort(percent(70));
        } else if (roll < 75) {
            pick(world.logs()).sendFromFencedTask(1 + random.nextInt(8));
        } else if (hasKills) {
            pick(world.boards()).kill();
        }
    }

    /** Some users are more active than others. */
    private int user() {
        return Math.min(random.nextInt(USERS), random.nextInt(USERS));
    }

    private Instant time() {
        if (!percent(15)) {
            return now;
        }
        return now.minusSeconds(random.nextInt(pick(List.of(3600, 86_400, 5 * 86_400, 40 * 86_400))) + 1);
    }

    private void command() {
        int number = user();
        String user = "user-" + (char) ('a' + number);
        LeaderboardWorld.Log log = world.logs().get(number % LeaderboardWorld.LOGS);
        Instant at = time();
        boolean isNew = !log.users().contains(user);
        UserChange change = LeaderboardWorld.mention(user);
        String zone = zoneFor(user, isNew);
        String name = percent(4) ? "Ida " + random.nextInt(4) : null;
        var attributes = new HashMap<String, String>();
        if (isNew || percent(8)) {
            for (String key : List.of("city", "team")) {
                if (percent(70)) {
                    // Empty: the attribute is cleared.
                    attributes.put(key, isNew || percent(85) ? pick(List.of("x", "x", "y")) : "");
                }
            }
        }
        var changes = new HashMap<String, Change<String>>();
        attributes.forEach((key, value) -> changes.put(key, value.isEmpty() ? Change.clear() : Change.set(value)));
        change = new UserChange(
                change.id(),
                change.email(),
                name == null ? Change.keep() : Change.set(name),
                zone == null ? Change.keep() : Change.set(ZoneId.of(zone)),
                change.deviceTokens(),
                change.subscribeToEmails(),
                Change.keep(),
                changes);
        boolean isAsked = percent(50);
        ZoneId zoneId = zone == null ? null : ZoneId.of(zone);
        if (!isNew && random.nextInt(120) == 0) {
            Command erase = new EraseUser(LeaderboardWorld.mention(user));
            log.send(
                    user,
                    erase,
                    new UserTruth.Input(now.toEpochMilli(), null, null, null, null, Map.of(), null),
                    isAsked);
            homes.remove(user);
        } else if (!isNew && percent(5)) {
            Visibility visibility = pick(List.of(Visibility.PUBLIC, Visibility.ANONYMOUS, Visibility.HIDDEN));
            log.send(
                    user,
                    new SetPreferences(
                            LeaderboardWorld.mention(user),
                            Map.of(),
                            StreakChange.NONE,
                            new LeaderboardsChange(Change.set(visibility))),
                    new UserTruth.Input(at.toEpochMilli(), null, null, null, null, Map.of(), visibility),
                    isAsked);
        } else if (percent(12)) {
            log.send(
                    user,
                    new IdentifyUser(change, false),
                    new UserTruth.Input(at.toEpochMilli(), null, null, name, zoneId, attributes, null),
                    isAsked);
        } else {
            String metric = pick(LeaderboardRulebook.METRICS);
            var value = new BigDecimal(pick(AMOUNTS));
            log.send(
                    user,
                    new RecordEvent(change, metric, value, Map.of(), null, new UUID(9, events++)),
                    new UserTruth.Input(at.toEpochMilli(), metric, value, name, zoneId, attributes, null),
                    isAsked);
        }
    }

    /** Null: no change. With streak leaderboards, users do not change their zone. */
    private String zoneFor(String user, boolean isNew) {
        if (hasStreak) {
            boolean isKnown = homes.containsKey(user);
            String home = homes.computeIfAbsent(user, _ -> pick(ZONES));
            return isKnown && !isNew ? null : home;
        }
        return isNew ? percent(70) ? pick(ZONES) : null : percent(5) ? pick(ZONES) : null;
    }
}
