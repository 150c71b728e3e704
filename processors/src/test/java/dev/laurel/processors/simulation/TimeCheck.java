package dev.laurel.processors.simulation;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.engine.UserEngine.Advanced;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/**
 * Time has the same effect by a read, a tick or a command, at once or in steps. A read advanced to the present equals the state
 * after a tick.
 */
final class TimeCheck implements Check {

    private static final String TICK = "a read differs from a tick";
    private static final String PATH = "two steps differ from one";
    private static final String COMMAND = "a tick changes what a command finds";

    private final Map<UserKey, Advanced> expected = new LinkedHashMap<>();

    /** The newest time of any tick: the runs of leaderboards that were final then take no more values, which a read does not know. */
    private long clockMs = Long.MIN_VALUE;

    @Override
    public void before(World world, Step step) {
        switch (step) {
            case Step.Send send -> beforeCommand(world, send);
            case Step.Ticks(Instant at) -> {
                expected.clear();
                for (UserKey user : world.ledger().users()) {
                    expected.put(user, world.advance(user, world.state(user), at));
                }
            }
            case Step.Publish _, Step.Hold _, Step.Release _, Step.Restart _ -> {
                // These steps take no time.
            }
        }
    }

    /** A tick between the user's newest time and this command must not change the command's result. */
    private void beforeCommand(World world, Step.Send send) {
        UserKey user = UserKey.of(send.user());
        UserState state = world.state(user);
        if (state == null || !(RepeatCheck.read(send) instanceof UserCommand command)) {
            return;
        }
        Instant from = earliest(world, state);
        if (send.at().isBefore(from)) {
            return;
        }
        Instant between = between(send, from, send.at());
        UserHistory history = world.history(user);
        Advanced ticked = world.advance(user, state, between);
        var later = new HistoryOverlay(history, ticked.writes());
        var context = new CommandContext(user, send.at().toEpochMilli(), 0, 0, Long.MIN_VALUE);
        Outcome straight = UserEngine.apply(state, world.rules(), command, context, history);
        Outcome after = UserEngine.apply(ticked.state(), world.rules(), command, context, later);
        String about = send.line() + " with a tick at " + between;
        Checks.equal(COMMAND, straight.getClass(), after.getClass(), about);
        if (straight instanceof Outcome.Applied one && after instanceof Outcome.Applied two) {
            Checks.equal(COMMAND, asleep(one.state()), asleep(two.state()), about);
            Checks.equal(COMMAND, one.effects(), joined(ticked.effects(), two.effects()), about);
            Checks.equal(COMMAND, one.completed(), joined(ticked.completed(), two.completed()), about);
            Checks.equal(COMMAND, one.answer(), two.answer(), about);
            Checks.equal(COMMAND, last(one.writes()), last(joined(ticked.writes(), two.writes())), about);
        }
    }

    @Override
    public void after(World world, World.Turn turn) {
        switch (turn.step()) {
            case Step.Send send -> lookAhead(world, send);
            case Step.Ticks(Instant at) -> afterTicks(world, turn, at);
            case Step.Publish _, Step.Hold _, Step.Release _, Step.Restart _ -> {
                // These steps take no time.
            }
        }
    }

    /** Compares the user in days or months, advanced at once and in two steps. */
    private void lookAhead(World world, Step.Send send) {
        UserKey user = UserKey.of(send.user());
        UserState state = world.state(user);
        if (state == null) {
            return;
        }
        Instant from = earliest(world, state);
        int days = new Random(send.hashCode()).nextInt(10) == 0 ? 400 : 20;
        Instant until = between(send, from, from.plus(Duration.ofDays(days)));
        Instant stop = between(send, from, until);
        Advanced straight = world.advance(user, state, until);
        Advanced first = world.advance(user, state, stop);
        Advanced second = UserEngine.advance(
                user,
                first.state(),
                world.rules(),
                new HistoryOverlay(world.history(user), first.writes()),
                until.toEpochMilli());
        String about = user + " seen at " + stop + " and " + until;
        Checks.equal(PATH, straight.state(), second.state(), about);
        Checks.equal(PATH, straight.effects(), joined(first.effects(), second.effects()), about);
        Checks.equal(PATH, straight.completed(), joined(first.completed(), second.completed()), about);
        Checks.equal(PATH, last(straight.writes()), last(joined(first.writes(), second.writes())), about);
    }

    private void afterTicks(World world, World.Turn turn, Instant at) {
        if (world.isHeld()) {
            Checks.equal("a tick fires while timers are held", List.of(), turn.effects(), at);
            return;
        }
        expected.forEach((user, read) -> {
            UserState state = world.state(user);
            List<Effect> told = read.effects();
            Checks.equal(
                    TICK,
                    told.size(),
                    (int) turn.effects().stream().filter(e -> isOf(e, user)).count(),
                    user + " at " + at + ": effects " + told);
            // Users whom the newest rules do not concern get no wake-up, and a read finds no difference.
            UserState seen = state.rulesVersion() == read.state().rulesVersion()
                    ? state
                    : world.advance(user, state, at).state();
            Checks.equal(TICK, open(world, read.state()), open(world, seen), user + " at " + at);
            Checks.equal(TICK, read.state().completions(), state.completions(), user + " at " + at);
            Checks.that(
                    "a timer is due after a tick",
                    world.isHeld() || state.wakeUpMs() == 0 || state.wakeUpMs() > at.toEpochMilli(),
                    () -> user + " at " + at + ": " + state.wakeUpMs());
        });
        clockMs = Math.max(clockMs, at.toEpochMilli());
    }

    private static boolean isOf(JsonNode effect, UserKey user) {
        return effect.get("user").asString().equals(user.user().value());
    }

    /** The time before which a command is late. */
    private static Instant earliest(World world, UserState state) {
        Instant newest = Instant.ofEpochMilli(state.newestMs());
        return newest.isAfter(world.publishedAt()) ? newest : world.publishedAt();
    }

    /** A time between the two, the same in every execution of these steps. */
    private static Instant between(Step step, Instant from, Instant until) {
        long spanMs = Duration.between(from, until).toMillis();
        return from.plusMillis((long) (new Random(step.hashCode() + spanMs).nextDouble() * (spanMs + 1)));
    }

    /** The state without the wake-up and without values in runs that were final before the tick. */
    private UserState open(World world, UserState s) {
        IntKeyedMap<LeaderboardState> open = s.boards().retaining(board -> {
            LeaderboardRules rules = world.rules().board(board);
            return rules == null || rules.runs().finalMsOf(s.boards().get(board).run()) > clockMs;
        });
        return asleep(s, SimulationLeaderboards.withoutGroups(open));
    }

    /** The state without the wake-up, which depends on the last command, tick or read, and without sent messages: a read sends none. */
    private static UserState asleep(UserState s) {
        return asleep(s, SimulationLeaderboards.withoutGroups(s.boards()));
    }

    private static UserState asleep(UserState s, IntKeyedMap<LeaderboardState> boards) {
        MessageState m = s.messages();
        var unsent = new MessageState(
                m.reactivatedDays(),
                m.remindedTo(),
                m.recapDay(),
                m.recappedTo(),
                m.windowMs(),
                m.waiting(),
                List.of());
        return new UserState(
                s.id(),
                s.profile(),
                s.preferences(),
                s.control(),
                s.createdMs(),
                s.updatedMs(),
                s.newestMs(),
                s.sequence(),
                s.rulesVersion(),
                s.metrics(),
                s.sums(),
                s.points(),
                s.completions(),
                s.streak(),
                s.active(),
                s.boosts(),
                s.boostsAnnouncedTo(),
                boards,
                s.lastEventMs(),
                unsent,
                0);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        var all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** The last write of each entry. */
    private static Map<Object, HistoryWrite> last(List<HistoryWrite> writes) {
        var entries = new HashMap<Object, HistoryWrite>();
        for (HistoryWrite write : writes) {
            Object entry = switch (write) {
                case HistoryWrite.PutDay(int number, int day, var _) -> "day " + number + " " + day;
                case HistoryWrite.PutActiveDays(int block, var _) -> "active days " + block;
                case HistoryWrite.PutStreakBlock(var frequency, var block) -> frequency + " " + block.number();
                case HistoryWrite.PutLedgerPage(int system, int page, var _) -> "page " + system + " " + page;
                case HistoryWrite.PutBoardRun(int board, var state) -> "run " + board + " " + state.run();
                case HistoryWrite.UseIdempotencyKey(int metric, String key, var _) -> "key " + metric + " " + key;
            };
            entries.put(
                    entry,
                    write instanceof HistoryWrite.PutBoardRun(int board, LeaderboardState state)
                            ? new HistoryWrite.PutBoardRun(board, SimulationLeaderboards.withoutGroup(state))
                            : write);
        }
        return entries;
    }
}
