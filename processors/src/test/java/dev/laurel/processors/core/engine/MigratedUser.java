package dev.laurel.processors.core.engine;

import dev.laurel.processors.core.engine.UserSpecification.Memory;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ObjLongConsumer;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A user with a history in memory, at some version of the rules, from which others are reached in two ways. */
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
    public void apply(UserCommand command, CommandContext context, CompiledRuleset present,
            LongFunction<CompiledRuleset> rulesOf) {
        memory.rulesOf = rulesOf;
        switch (UserEngine.apply(state, present, command, context, memory)) {
            case Outcome.Applied applied -> {
                state = applied.state();
                applied.writes().forEach(memory::write);
            }
            case Outcome.Erased _ -> state = null;
            case Outcome.Repeated _,Outcome.Notified _,Outcome.Refused _ -> {
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
     * Checks that a command, tick or read at that time finds the same user after one migration per version.
     *
     * @param rulesOf finds the versions that are known
     * @param compiledAlone finds the same versions
     */
    public void check(CommandContext context, long version, LongFunction<CompiledRuleset> rulesOf,
            LongFunction<CompiledRuleset> compiledAlone, String about) {
        Map<String, Object> stepping = result(context, compiledAlone.apply(version), compiledAlone,
                SteppingMigration::migrate);
        Map<String, Object> squashed = result(context, rulesOf.apply(version), rulesOf, RulesetMigration::migrate);
        stepping.forEach((part, value) -> assertEquals(value, squashed.get(part), part + " of " + about));
    }

    private Map<String, Object> result(CommandContext context, CompiledRuleset present,
            LongFunction<CompiledRuleset> rulesOf, ObjLongConsumer<UserTransaction> migration) {
        memory.rulesOf = rulesOf;
        var user = UserTransaction.of(state, context, present, memory);
        migration.accept(user, context.atMs());
        UserState migrated = user.toState();
        UserTimers.fireUntil(user, context.atMs());
        var result = new LinkedHashMap<String, Object>();
        result.put("migrated state", migrated.toString());
        result.put("state", user.toState());
        result.put("text", user.toState().toString());
        result.put("effects", List.copyOf(user.effects()));
        result.put("notices", List.copyOf(user.notices()));
        result.put("completed", List.copyOf(user.completed()));
        result.put("next timer", UserTimers.nextDueMs(user, UserTimers.NEVER));
        result.put("scores", textsOf(context.isRead()
                ? user.leaderboards().openScores(context.atMs())
                : user.leaderboards().close()));
        result.put("writes", user.history().writes().toString());
        return result;
    }

    private static List<String> textsOf(List<Score> scores) {
        return scores.stream()
                .map(score -> score.toString().replace(score.rules().toString(), score.rules().board().toString()))
                .toList();
    }
}
