package dev.laurel.processors.simulation;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.StreakSnapshot;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Values on leaderboards equal totals, points and streaks. Events count in the run of their date unless it is final.
 */
final class LeaderboardsCheck implements Check {

    private static final String TOTAL = "a leaderboard differs from the total";
    private static final String RUN = "an event counts in another run";

    /** Numbers of removed points systems, whose earlier points are on no leaderboard afterwards. */
    private final Set<Integer> interrupted = new HashSet<>();

    private Set<Integer> systems = Set.of();
    private UserState before;
    private BigDecimal[] daysBefore;
    private LocalDate[] days;

    /** The time of the newest tick. */
    private long tickedMs = Long.MIN_VALUE;

    @Override
    public void before(World world, Step step) {
        if (step instanceof Step.Send send) {
            UserKey user = UserKey.of(send.user());
            before = world.state(user);
            // The date is one of these in any zone.
            LocalDate utc = LocalDate.ofInstant(send.at(), ZoneOffset.UTC);
            days = new LocalDate[] {utc.minusDays(1), utc, utc.plusDays(1)};
            daysBefore = new BigDecimal[days.length];
            for (int i = 0; i < days.length; i++) {
                daysBefore[i] = valueOn(world, user, before, days[i]);
            }
        }
    }

    private static BigDecimal valueOn(World world, UserKey user, UserState state, LocalDate day) {
        return SimulationLeaderboards.value(
                state, world.history(user), SimulationLeaderboards.DAILY, (int) day.toEpochDay());
    }

    @Override
    public void after(World world, World.Turn turn) {
        switch (turn.step()) {
            case Step.Send send -> {
                UserKey user = UserKey.of(send.user());
                UserState state = world.state(user);
                if (state != null) {
                    // A command that is refused stores nothing, so the user may still follow former rules.
                    if (state.rulesVersion() == world.rules().version()) {
                        check(world, user, state);
                    }
                    checkRuns(world, send, user, state);
                }
            }
            case Step.Ticks(var at) -> tickedMs = Math.max(tickedMs, at.toEpochMilli());
            case Step.Publish _ -> {
                Set<Integer> present = world.rules().document().pointsSystems().stream()
                        .map(PointsSystem::number)
                        .collect(Collectors.toSet());
                systems.stream().filter(system -> !present.contains(system)).forEach(interrupted::add);
                systems = present;
            }
            case Step.Hold _, Step.Release _, Step.Restart _ -> {
                // These steps concern no single user.
            }
        }
    }

    @Override
    public void whole(World world) {
        for (UserKey user : world.ledger().users()) {
            UserState state = world.state(user);
            // Users whom newer rules do not concern get no wake-up for them.
            if (state.rulesVersion() == world.rules().version()) {
                check(world, user, state);
            }
        }
    }

    private void check(World world, UserKey user, UserState state) {
        CompiledRuleset rules = world.rules();
        BigDecimal laps = lapsOf(world, state);
        equal(TOTAL, laps, SimulationLeaderboards.value(state, SimulationLeaderboards.TOTAL), user + "'s laps");
        equal(
                TOTAL,
                laps,
                SimulationLeaderboards.value(state, SimulationLeaderboards.MORNINGS)
                        .add(SimulationLeaderboards.value(state, SimulationLeaderboards.AFTERNOONS)),
                user + "'s laps by time of day");
        equal(
                "a leaderboard differs from the streak",
                BigDecimal.valueOf(StreakSnapshot.lengthOf(state, rules)),
                SimulationLeaderboards.value(state, SimulationLeaderboards.STREAK),
                user);
        for (PointsSystem system : rules.document().pointsSystems()) {
            if (!interrupted.contains(system.number())) {
                PointsState points = state.points().get(system.number());
                equal(
                        TOTAL,
                        BigDecimal.valueOf(points == null ? 0 : points.total()),
                        SimulationLeaderboards.value(state, SimulationLeaderboards.totalOf(system)),
                        user + "'s " + system.key());
            }
        }
    }

    private static BigDecimal lapsOf(World world, UserState state) {
        return state == null
                ? BigDecimal.ZERO
                : MetricState.totalOf(
                        state.metrics(), world.rules().metric("laps").metric().number());
    }

    private void checkRuns(World world, Step.Send send, UserKey user, UserState state) {
        BigDecimal change = lapsOf(world, state).subtract(lapsOf(world, before));
        if (change.signum() == 0 || !(RepeatCheck.read(send) instanceof RecordEvent)) {
            return;
        }
        ZoneId zone = state.profile().tz() == null
                ? world.rules().document().settings().defaultTimeZone()
                : state.profile().tz();
        LocalDate date = LocalDate.ofInstant(send.at(), zone);
        for (int i = 0; i < days.length; i++) {
            // Final runs are not stored.
            if (tickedMs < finalMsOf(days[i])) {
                equal(
                        RUN,
                        days[i].equals(date) ? change : BigDecimal.ZERO,
                        valueOn(world, user, state, days[i]).subtract(daysBefore[i]),
                        send.line() + " on " + days[i]);
            }
        }
    }

    private static long finalMsOf(LocalDate day) {
        return day.plusDays(1).atTime(LocalTime.NOON).toInstant(ZoneOffset.UTC).toEpochMilli();
    }

    private static void equal(String property, BigDecimal expected, BigDecimal actual, Object about) {
        Checks.that(property, expected.compareTo(actual) == 0, () -> about + ": " + actual + ", not " + expected);
    }
}
