package dev.laurel.processors.simulation;

import dev.laurel.processors.TestBoard;
import dev.laurel.processors.TestRulesets;
import dev.laurel.processors.core.engine.CommandContext;
import dev.laurel.processors.core.engine.MigratedUser;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.serde.CommandJson;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Users with random histories, at random versions of rules that are edited at random, come to later versions as if they had been
 * migrated to every one of them, byte for byte. To repeat a failure: {@code -Dlaurel.migration.seed=…}; to search for others:
 * {@code -Dlaurel.migration.seeds=…}.
 */
class MigrationSimulationTest {

    private static final int SEEDS = 2;
    private static final int FULL_SEEDS = 200;
    private static final int STEPS = 50;
    private static final int KEPT = 14;

    @Test
    void shouldMigrateAsIfVersionByVersion() {
        Long given = Long.getLong("laurel.migration.seed");
        int compared = 0;
        if (given != null) {
            compared = new History(given).run();
        } else {
            int seeds = Integer.getInteger("laurel.migration.seeds",
                    Boolean.getBoolean("laurel.full") ? FULL_SEEDS : SEEDS);
            long first = seeds == SEEDS ? 1 : System.currentTimeMillis();
            for (long seed = first; seed < first + seeds; seed++) {
                compared += new History(seed).run();
            }
            System.out.printf("%,d histories from seed %d, %,d migrations: all equal%n", seeds, first, compared);
        }
        assertTrue(compared > 20, "compared " + compared);
    }

    private static final class History {

        private final long seed;
        private final Dice dice;
        private final RandomRules edits;
        private final Map<UserKey, MigratedUser> users = new HashMap<>();
        private final List<MigratedUser> away = new ArrayList<>();
        private final Map<Long, CompiledRuleset> rules = new TreeMap<>();
        private final Map<Long, CompiledRuleset> compiledAlone = new TreeMap<>();
        private Ruleset edited = Ruleset.empty(TenantId.NONE);
        private List<TestBoard> boards = List.of();
        private long version;
        private long offset;
        private long clockMs = Long.MIN_VALUE;
        private int compared;

        History(long seed) {
            this.seed = seed;
            this.dice = new Dice(seed);
            this.edits = new RandomRules(dice, Workload.Kind.RICH);
        }

        int run() {
            for (Step step : Workload.of(Workload.Kind.RICH, seed,
                    Integer.getInteger("laurel.migration.steps", STEPS))) {
                Instant at = step.at();
                publish(at);
                for (int i = dice.below(4); i > 0; i--) {
                    publish(at.plusMillis(dice.percent(50) ? dice.below(60_000) : 0));
                }
                if (step instanceof Step.Send send) {
                    send(send);
                } else if (step instanceof Step.Ticks) {
                    clockMs = Math.max(clockMs, at.toEpochMilli());
                    users.values().stream().filter(user -> user.state() != null && dice.percent(30))
                            .forEach(user -> user.tick(context(user, at), rules.get(version), rules::get));
                }
                if (dice.percent(25)) {
                    compare(at);
                }
            }
            return compared;
        }

        private void send(Step.Send send) {
            var key = UserKey.of(send.user());
            var user = users.computeIfAbsent(key, MigratedUser::new);
            if (commandOf(send) instanceof UserCommand command) {
                user.apply(command, new CommandContext(key, send.at().toEpochMilli(), 0, offset++, clockMs),
                        rules.get(version), rules::get);
            }
            if (user.state() != null && dice.percent(30)) {
                away.add(user.copy());
                if (away.size() > KEPT) {
                    away.remove(dice.below(KEPT));
                }
            }
        }

        private static Command commandOf(Step.Send send) {
            try {
                return CommandJson.read(send.json().getBytes(UTF_8));
            } catch (BadInputException e) {
                throw new AssertionError(send.line(), e);
            }
        }

        private void publish(Instant at) {
            String source = version == 0 ? edits.next(at) : edits.edit(at);
            if (RulesetEditor.apply(edited, TestRulesets.source(source),
                    at) instanceof RulesetEditor.Result.Changed(Ruleset changed)) {
                edited = changed;
                version = changed.version();
                if (version == 1 || dice.percent(12)) {
                    boards = boards(at.atZone(ZoneOffset.UTC).toLocalDate());
                }
                Ruleset document = TestBoard.on(changed, version, at, boards.toArray(TestBoard[]::new));
                CompiledRuleset former = rules.get(version - 1);
                rules.put(version, former == null || dice.percent(5)
                        ? new CompiledRuleset(document)
                        : CompiledRuleset.near(former, document));
                compiledAlone.put(version, new CompiledRuleset(document));
            }
        }

        private List<TestBoard> boards(LocalDate today) {
            var some = new ArrayList<TestBoard>();
            some.add(some(1, today, TestBoard.ofMetric(SimulationBoards.TOTAL, "laps")));
            some.add(some(2, today, TestBoard.ofMetric(SimulationBoards.DAILY, "laps").every(1, RunUnit.DAY)));
            some.add(some(3, today, TestBoard.ofStreak(SimulationBoards.STREAK)));
            some.add(some(4, today, TestBoard.ofStreak(SimulationBoards.STREAK + 20).by("city")));
            some.add(some(5, today, TestBoard.ofMetric(SimulationBoards.MORNINGS, "litres").by("city")));
            for (PointsSystem system : edited.pointsSystems()) {
                some.add(some(6, today, TestBoard.ofPoints(SimulationBoards.totalOf(system), system.key())));
            }
            if (dice.percent(15)) {
                some.remove(dice.below(some.size()));
            }
            return some;
        }

        private TestBoard some(int one, LocalDate today, TestBoard board) {
            board.from(dice.percent(60) ? "2000-01-01" : today.plusDays(dice.below(9) - 4 + one % 2).toString());
            if (dice.percent(20)) {
                board.to(today.plusDays(5 + dice.below(9)).toString());
            }
            return board.being(dice.pick(LeaderboardStatus.ACTIVE, LeaderboardStatus.ACTIVE,
                    LeaderboardStatus.SCHEDULED, LeaderboardStatus.INACTIVE, LeaderboardStatus.FINISHED));
        }

        private void compare(Instant at) {
            for (MigratedUser user : away) {
                long pin = user.state().rulesVersion();
                if (pin == version || dice.percent(50)) {
                    continue;
                }
                long to = dice.percent(70) ? version : pin + 1 + dice.below((int) (version - pin));
                Map<Long, CompiledRuleset> known = new TreeMap<>(rules);
                Map<Long, CompiledRuleset> knownAlone = new TreeMap<>(compiledAlone);
                if (dice.percent(5)) {
                    long lost = pin + dice.below((int) (to - pin));
                    known.remove(lost);
                    knownAlone.remove(lost);
                }
                Instant until = at.plusSeconds(dice.pick(0, 0, 3600, 86_400, 9 * 86_400, -86_400));
                CommandContext context = dice.percent(40)
                        ? CommandContext.ofRead(keyOf(user), until.toEpochMilli())
                        : context(user, until);
                user.check(context, to, known::get, knownAlone::get,
                        "%s from %d to %d at %s, -Dlaurel.migration.seed=%d"
                                .formatted(keyOf(user), pin, to, until, seed));
                compared++;
            }
        }

        private CommandContext context(MigratedUser user, Instant at) {
            return new CommandContext(keyOf(user), at.toEpochMilli(), 0, offset++, clockMs);
        }

        private static UserKey keyOf(MigratedUser user) {
            return UserKey.of(user.state().id().value());
        }
    }
}
