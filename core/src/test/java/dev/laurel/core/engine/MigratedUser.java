package dev.laurel.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.laurel.core.engine.UserSpecification.Memory;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** A user with a history in memory, at some version of the rules, from which others are reached. */
public final class MigratedUser {

    private final UserKey key;
    private final Memory memory = new Memory();
    private UserState state;

    public MigratedUser(UserKey key) {
        this.key = key;
    }

    /** Null: the user does not exist. */
    public UserState state() {
        return state;
    }

    /** The same user, who changes independently. */
    public MigratedUser copy() {
        var copy = new MigratedUser(key);
        copy.state = state;
        copy.memory.days.putAll(memory.days);
        copy.memory.activeDays.putAll(memory.activeDays);
        copy.memory.blocks.putAll(memory.blocks);
        memory.ledger.forEach((system, awards) -> copy.memory.ledger.put(system, new ArrayList<>(awards)));
        copy.memory.boardRuns.putAll(memory.boardRuns);
        copy.memory.keys.putAll(memory.keys);
        return copy;
    }

    /** @param rulesOf finds the rules of a version */
    public void apply(
            UserCommand command,
            CommandContext context,
            CompiledRuleset present,
            LongFunction<CompiledRuleset> rulesOf) {
        memory.rulesOf = rulesOf;
        switch (UserEngine.apply(state, present, command, context, memory)) {
            case Outcome.Applied applied -> {
                state = applied.state();
                applied.writes().forEach(memory::write);
            }
            case Outcome.Erased _ -> state = null;
            case Outcome.Repeated _, Outcome.Notified _, Outcome.Refused _ -> {
                // Nothing is stored.
            }
        }
    }

    /** Applies a tick. */
    public void tick(CommandContext context, CompiledRuleset present, LongFunction<CompiledRuleset> rulesOf) {
        memory.rulesOf = rulesOf;
        var woken = UserEngine.wake(state, present, context, memory, Integer.MAX_VALUE);
        state = woken.state();
        woken.writes().forEach(memory::write);
    }

    /**
     * Checks that a command, tick or read at that time finds the same user whether versions know since when they are alike or not. If
     * they do, and no timer was due before, the newest version alone settles the user.
     *
     * @param rulesOf finds the versions
     * @param forgetful finds the same versions, which do not know since when they are alike
     */
    public void check(
            CommandContext context,
            long version,
            LongFunction<CompiledRuleset> rulesOf,
            LongFunction<CompiledRuleset> forgetful,
            String about) {
        CompiledRuleset present = rulesOf.apply(version);
        boolean isAlone = present.document().alikeSince() <= state.rulesVersion()
                && (state.wakeUpMs() == 0 || state.wakeUpMs() > Math.min(present.publishedMs(), context.atMs()));
        Map<String, Object> expected = result(context, forgetful.apply(version), forgetful);
        Map<String, Object> found = result(context, present, isAlone ? other -> fail("needs " + other) : rulesOf);
        expected.forEach((part, value) -> assertEquals(value, found.get(part), part + " of " + about));
    }

    /**
     * Checks that ticks at all due times leave the same user as one tick at the end.
     *
     * @param version in force at the end
     */
    public void checkTicks(CommandContext end, long version, LongFunction<CompiledRuleset> rulesOf, String about) {
        MigratedUser onTime = copy();
        for (long next = state.rulesVersion(); next <= version; next++) {
            long untilMs = next == version
                    ? end.atMs()
                    : Math.min(end.atMs(), rulesOf.apply(next + 1).publishedMs());
            while (onTime.state.wakeUpMs() != 0 && onTime.state.wakeUpMs() <= untilMs) {
                onTime.tick(
                        new CommandContext(key, onTime.state.wakeUpMs(), 0, 0, end.clockMs()),
                        rulesOf.apply(next),
                        rulesOf);
            }
        }
        onTime.tick(end, rulesOf.apply(version), rulesOf);
        MigratedUser late = copy();
        late.tick(end, rulesOf.apply(version), rulesOf);
        for (int i = 0; i < onTime.gathered().size(); i++) {
            assertEquals(onTime.gathered().get(i), late.gathered().get(i), about);
        }
    }

    /** What does not depend on when and where in the log the user was processed. */
    private List<Object> gathered() {
        return List.of(
                state.metrics(),
                state.sums(),
                state.points(),
                state.completions(),
                state.streak(),
                state.active(),
                state.boosts(),
                memory.days,
                memory.activeDays,
                memory.blocks,
                memory.ledger);
    }

    private Map<String, Object> result(
            CommandContext context, CompiledRuleset present, LongFunction<CompiledRuleset> rulesOf) {
        memory.rulesOf = rulesOf;
        var user = UserTransaction.of(state, context, present, memory);
        RulesetMigration.migrate(user, context.atMs());
        UserState migrated = user.toState();
        UserTimers.fireUntil(user, context.atMs());
        var result = new LinkedHashMap<String, Object>();
        result.put("migrated state", migrated.toString());
        result.put("state", user.toState());
        result.put("text", user.toState().toString());
        result.put("effects", List.copyOf(user.effects()));
        result.put("notices", List.copyOf(user.notices()));
        result.put("completed", List.copyOf(user.completed()));
        result.put("next timer", UserTimers.nextDueMs(user, UserTransaction.NEVER));
        result.put(
                "scores",
                textsOf(
                        context.isRead()
                                ? new LeaderboardScorer(user).openScores(context.atMs())
                                : new LeaderboardScorer(user).close()));
        result.put("writes", user.history().writes().toString());
        return result;
    }

    private static List<String> textsOf(List<Score> scores) {
        return scores.stream()
                .map(score -> score.toString()
                        .replace(score.rules().toString(), score.rules().board().toString()))
                .toList();
    }
}
