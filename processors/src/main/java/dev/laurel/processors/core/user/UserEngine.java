package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.effect.Effect;
import java.time.Instant;
import java.util.List;

/**
 * The core: what a command makes of a user, as a pure function of the user's state, the ruleset and the command
 * (semantics.md §1). It reads no clock, draws no random number and writes nothing; whoever calls it writes what it decided.
 * Safe on any thread.
 */
public final class UserEngine {

    /** A user's state at a later moment, and what happened on the way. */
    public record Advanced(UserState state, List<Effect> effects) {}

    private UserEngine() {}

    /**
     * Applies one command: timers that are due by its time fire first, then the command itself.
     *
     * @param before null if the user is new
     */
    public static Outcome apply(UserState before, CompiledRuleset rules, UserCommand command, CommandContext context,
            UserHistory history) {
        return switch (command) {
            case RecordEvent event -> recordEvent(before, rules, event, context, history);
            case IdentifyUser identify -> identify(before, rules, identify, context);
        };
    }

    private static Outcome recordEvent(UserState before, CompiledRuleset rules, RecordEvent event,
            CommandContext context, UserHistory history) {
        var metric = rules.metric(event.metric());
        if (metric == null) {
            return new Outcome.Refused(Refusal.unknownMetric(event.metric()));
        }
        // Before anything else is judged: what was accepted once is not refused when it is sent again.
        if (before != null && event.idempotencyKey() != null) {
            var first = history.eventWith(metric.metric().number(), event.idempotencyKey());
            if (first != null) {
                UserState now = advance(before, rules, context.atMs()).state();
                return new Outcome.Repeated(now, EventTurn.repeated(now, event, metric.metric(), first));
            }
        }
        Refusal refusal = refusalOf(before, rules, event);
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        return new EventTurn(before, rules, context, history).take(event, metric);
    }

    private static Refusal refusalOf(UserState before, CompiledRuleset rules, RecordEvent event) {
        Refusal refusal = rules.refusalOfEventAttributes(event.attributes().keySet());
        return refusal != null ? refusal : refusalOfUser(before, rules, event);
    }

    private static Refusal refusalOfUser(UserState before, CompiledRuleset rules, UserCommand command) {
        Profile profile = before == null ? Profile.BLANK : before.profile();
        if (profile.wouldSubscribeWithoutEmail(command.user())) {
            return Refusal.subscribeWithoutEmail();
        }
        return rules.refusalOfUserAttributes(command.user().attributes().keySet());
    }

    private static Outcome identify(UserState before, CompiledRuleset rules, IdentifyUser identify,
            CommandContext context) {
        if (before == null && identify.mustExist()) {
            return new Outcome.Refused(Refusal.unknownUser(identify.user().id().value()));
        }
        Refusal refusal = refusalOfUser(before, rules, identify);
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        var turn = new UserTurn(before, rules, context);
        turn.upsert(identify.user());
        return turn.finish(List.of(), List.of(), null);
    }

    /**
     * The state at {@code untilMs}: every timer due by then has fired, in due order, under the given rules. Nothing else
     * changes, and a moment in the past changes nothing.
     */
    public static Advanced advance(UserState state, CompiledRuleset rules, long untilMs) {
        long dueMs = nextDueMs(state, rules);
        if (dueMs > untilMs) {
            return new Advanced(state, List.of());
        }
        StreakState lost = StreakChain.lost(state.streak());
        // Whoever has switched streaks off does not want to hear of them; their end is kept for the day they are on again.
        if (!rules.streak().isEnabled()) {
            return new Advanced(state.withStreak(lost), List.of());
        }
        var effect = new Effect.StreakLost(state.id(), Instant.ofEpochMilli(dueMs), state.streak().length());
        return new Advanced(state.withStreak(lost), List.of(effect));
    }

    /** When the next timer of this user is due; {@link Long#MAX_VALUE} if none is. */
    public static long nextDueMs(UserState state, CompiledRuleset rules) {
        return StreakChain.lossDueMs(state.streak(), rules.zoneOf(state.profile().tz()));
    }

    /**
     * What a tick makes of a user whom the timers store has named: due timers fire, and {@link UserState#wakeUpMs} says when
     * to look again.
     */
    public static Advanced wake(UserState state, CompiledRuleset rules, long tickMs) {
        Advanced advanced = advance(state, rules, tickMs);
        long dueMs = nextDueMs(advanced.state(), rules);
        return new Advanced(advanced.state().withWakeUp(dueMs == Long.MAX_VALUE ? 0 : dueMs), advanced.effects());
    }
}
