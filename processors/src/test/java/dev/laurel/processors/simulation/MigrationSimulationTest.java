package dev.laurel.processors.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.TestRulesets;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.MigratedUser;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Users with random histories, at random versions of rules that are edited at random, come to later versions as if both were compared in
 * full, although most often only the later one is looked at, byte for byte; and as if ticks had come on time, although they come late or
 * not at all. A second fold of what happened, with rules as they are read from their topic, gives the same users. To repeat a failure:
 * {@code -Dlaurel.migration.seed=…}; to search for others: {@code -Dlaurel.migration.seeds=…}.
 */
class MigrationSimulationTest {

    private static final int SEEDS = 2;
    private static final int FULL_SEEDS = 200;
    private static final int STEPS = 50;
    private static final int KEPT = 14;

    @Test
    void shouldComeToLaterVersionsWhateverIsKnownOfThoseBefore() {
        Long given = Long.getLong("laurel.migration.seed");
        int compared = 0;
        if (given != null) {
            compared = new History(given).run();
        } else {
            int seeds = Integer.getInteger(
                    "laurel.migration.seeds", Boolean.getBoolean("laurel.full") ? FULL_SEEDS : SEEDS);
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
        private final Map<Long, CompiledRuleset> forgetful = new TreeMap<>();
        private final List<Happened> happened = new ArrayList<>();
        private Ruleset former = Ruleset.empty(TenantId.NONE);
        private Ruleset edited = Ruleset.empty(TenantId.NONE);
        private List<TestLeaderboard> boards = List.of();
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
            for (Step step :
                    Workload.of(Workload.Kind.RICH, seed, Integer.getInteger("laurel.migration.steps", STEPS))) {
                Instant at = step.at();
                publish(at);
                for (int i = dice.below(4); i > 0; i--) {
                    publish(at.plusMillis(dice.percent(50) ? dice.below(60_000) : 0));
                }
                if (step instanceof Step.Send send) {
                    send(send);
                } else if (step instanceof Step.Ticks) {
                    clockMs = Math.max(clockMs, at.toEpochMilli());
                    users.values().stream()
                            .filter(user -> user.state() != null && dice.percent(30))
                            .forEach(user -> happen(user, null, context(user, at)));
                }
                if (dice.percent(25)) {
                    compare(at);
                }
            }
            repeat();
            return compared;
        }

        /** A command, or a tick, under the rules of its time. @param command null: a tick */
        private record Happened(UserCommand command, CommandContext context, long version) {

            void applyTo(MigratedUser user, LongFunction<CompiledRuleset> rulesOf) {
                if (command == null) {
                    user.tick(context, rulesOf.apply(version), rulesOf);
                } else {
                    user.apply(command, context, rulesOf.apply(version), rulesOf);
                }
            }
        }

        /** As a replay does, which reads documents, and knows versions that a node had not read yet. */
        private void repeat() {
            var read = new HashMap<Long, CompiledRuleset>();
            rules.forEach((number, compiled) ->
                    read.put(number, new CompiledRuleset(Json.read(Json.write(compiled.document()), Ruleset.class))));
            var again = new HashMap<UserKey, MigratedUser>();
            happened.forEach(
                    one -> one.applyTo(again.computeIfAbsent(one.context().user(), MigratedUser::new), read::get));
            users.forEach((key, user) -> assertEquals(
                    String.valueOf(user.state()),
                    String.valueOf(
                            again.get(key) == null ? null : again.get(key).state()),
                    "seed " + seed));
        }

        private void happen(MigratedUser user, UserCommand command, CommandContext context) {
            var one = new Happened(command, context, version);
            happened.add(one);
            one.applyTo(user, rules::get);
        }

        private void send(Step.Send send) {
            var key = UserKey.of(send.user());
            var user = users.computeIfAbsent(key, MigratedUser::new);
            if (commandOf(send) instanceof UserCommand command) {
                happen(user, command, new CommandContext(key, send.at().toEpochMilli(), 0, offset++, clockMs));
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
            if (RulesetEditor.apply(edited, TestRulesets.source(source), at)
                    instanceof RulesetEditor.Result.Changed(Ruleset changed)) {
                edited = changed;
                version = changed.version();
                if (version == 1 || dice.percent(12)) {
                    boards = boards(at.atZone(ZoneOffset.UTC).toLocalDate());
                }
                former = CompiledRuleset.noted(
                        former, TestLeaderboard.on(changed, version, at, boards.toArray(TestLeaderboard[]::new)));
                rules.put(version, new CompiledRuleset(former));
                forgetful.put(version, new CompiledRuleset(former.alikeSince(null)));
            }
        }

        private List<TestLeaderboard> boards(LocalDate today) {
            var some = new ArrayList<TestLeaderboard>();
            some.add(some(1, today, TestLeaderboard.ofMetric(SimulationLeaderboards.TOTAL, "laps")));
            some.add(some(
                    2,
                    today,
                    TestLeaderboard.ofMetric(SimulationLeaderboards.DAILY, "laps")
                            .every(1, RunUnit.DAY)));
            some.add(some(3, today, TestLeaderboard.ofStreak(SimulationLeaderboards.STREAK)));
            some.add(some(
                    4,
                    today,
                    TestLeaderboard.ofStreak(SimulationLeaderboards.STREAK + 20).by("city")));
            some.add(some(
                    5,
                    today,
                    TestLeaderboard.ofMetric(SimulationLeaderboards.MORNINGS, "litres")
                            .by("city")));
            for (PointsSystem system : edited.pointsSystems()) {
                some.add(
                        some(6, today, TestLeaderboard.ofPoints(SimulationLeaderboards.totalOf(system), system.key())));
            }
            if (dice.percent(15)) {
                some.remove(dice.below(some.size()));
            }
            return some;
        }

        private TestLeaderboard some(int one, LocalDate today, TestLeaderboard board) {
            board.from(
                    dice.percent(60)
                            ? "2000-01-01"
                            : today.plusDays(dice.below(9) - 4 + one % 2).toString());
            if (dice.percent(20)) {
                board.to(today.plusDays(5 + dice.below(9)).toString());
            }
            return board.being(dice.pick(
                    LeaderboardStatus.ACTIVE,
                    LeaderboardStatus.ACTIVE,
                    LeaderboardStatus.SCHEDULED,
                    LeaderboardStatus.INACTIVE,
                    LeaderboardStatus.FINISHED));
        }

        private void compare(Instant at) {
            for (MigratedUser user : away) {
                long pin = user.state().rulesVersion();
                if (pin == version || dice.percent(50)) {
                    continue;
                }
                long to = dice.percent(70) ? version : pin + 1 + dice.below((int) (version - pin));
                Instant until = at.plusSeconds(dice.pick(0, 0, 3600, 86_400, 9 * 86_400, -86_400));
                boolean isRead = dice.percent(40);
                CommandContext context =
                        isRead ? CommandContext.ofRead(keyOf(user), until.toEpochMilli()) : context(user, until);
                String about = "%s from %d to %d at %s, -Dlaurel.migration.seed=%d"
                        .formatted(keyOf(user), pin, to, until, seed);
                user.check(context, to, rules::get, forgetful::get, about);
                if (!isRead && areInOrder(pin, to)) {
                    user.checkTicks(context, to, rules::get, about);
                }
                compared++;
            }
        }

        /** Whether no clock of a writer was behind that of the one before. */
        private boolean areInOrder(long first, long last) {
            return LongStream.range(Math.max(1, first), last)
                    .allMatch(one ->
                            rules.get(one).publishedMs() <= rules.get(one + 1).publishedMs());
        }

        private CommandContext context(MigratedUser user, Instant at) {
            return new CommandContext(keyOf(user), at.toEpochMilli(), 0, offset++, clockMs);
        }

        private static UserKey keyOf(MigratedUser user) {
            return UserKey.of(user.state().id().value());
        }
    }
}
