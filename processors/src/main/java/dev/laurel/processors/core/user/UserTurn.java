package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One command's working copy of a user, in the order of semantics.md §3: timers, then the user's own fields. Lives for one
 * call on one thread.
 */
class UserTurn {

    final CompiledRuleset rules;
    final CommandContext context;
    final List<Effect> effects = new ArrayList<>(4);
    final boolean isNewUser;

    /** The state after what has been done so far. */
    UserState state;

    UserTurn(UserState before, CompiledRuleset rules, CommandContext context) {
        this.rules = rules;
        this.context = context;
        this.isNewUser = before == null;
        if (before == null) {
            var id = context.user().user();
            this.state = UserState.created(id, isInControl(context.user(), rules), context.atMs());
            effects.add(new Effect.UserCreated(id, at()));
        } else {
            var advanced = UserEngine.advance(before, rules, context.atMs());
            this.state = advanced.state();
            effects.addAll(advanced.effects());
        }
    }

    /** semantics.md §2: decided once, from the id alone, so that it is the same in any replay. */
    private static boolean isInControl(UserKey user, CompiledRuleset rules) {
        int ratio = rules.document().settings().controlRatio();
        if (ratio <= 0) {
            return false;
        }
        String name = user.tenant().value() + "/" + user.user().value();
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
            return Long.remainderUnsigned(ByteBuffer.wrap(hash).getLong(), 100) < ratio;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    final Instant at() {
        return Instant.ofEpochMilli(context.atMs());
    }

    final void upsert(UserChange change) {
        Profile profile = state.profile().changedBy(change);
        boolean isChanged = profile != state.profile();
        boolean isElsewhere = !Objects.equals(profile.tz(), state.profile().tz());
        long newestMs = Math.max(state.newestMs(), context.atMs());
        long updatedMs = isChanged ? Math.max(state.updatedMs(), context.atMs()) : state.updatedMs();
        state = new UserState(state.id(), profile, state.control(), state.createdMs(), updatedMs, newestMs,
                state.sequence() + 1, state.metrics(), state.points(), state.completions(), state.streak(),
                state.wakeUpMs());
        if (isElsewhere) {
            state = state.withStreak(StreakChain.reopened(state.streak(), rules.zoneOf(profile.tz()), newestMs));
        }
    }

    /** The end of the turn: the user is put to bed until the next timer, if that is sooner than agreed before. */
    final Outcome.Applied finish(List<HistoryWrite> writes, List<Achievement> completed, Outcome.EventResult result) {
        long dueMs = UserEngine.nextDueMs(state, rules);
        // A wake-up that is too early costs one look; moving it at every extension would cost two writes per day.
        if (dueMs != Long.MAX_VALUE && (state.wakeUpMs() == 0 || dueMs < state.wakeUpMs())) {
            state = state.withWakeUp(dueMs);
        }
        return new Outcome.Applied(state, isNewUser, effects, writes, completed, result);
    }
}
