package dev.laurel.processors.core.user;

import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.notice.Notice;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.ChangeBoost;
import dev.laurel.schemas.command.CompleteAchievement;
import dev.laurel.schemas.command.DeletePause;
import dev.laurel.schemas.command.DropDeviceTokens;
import dev.laurel.schemas.command.EraseUser;
import dev.laurel.schemas.command.GrantBoost;
import dev.laurel.schemas.command.GrantFreeze;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.PlanPause;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.RestoreStreak;
import dev.laurel.schemas.command.RevokeBoost;
import dev.laurel.schemas.command.SetPreferences;
import dev.laurel.schemas.command.TestMessage;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.AchievementStatus;
import dev.laurel.schemas.ruleset.AchievementTrigger;
import java.time.Instant;
import java.util.List;

/**
 * The core: what a command makes of a user, as a pure function of the user's state, the ruleset and the command
 * (semantics.md §1). It reads no clock, draws no random number and writes nothing; whoever calls it writes what it decided.
 * Safe on any thread.
 */
public final class UserEngine {

    /**
     * A user's state at a later moment, and what happened on the way.
     *
     * @param completed achievements completed on the way, silently
     * @param scores of a tick: those that have changed on the way; of a look: those with which the leaderboards are asked
     *            where the user stands, as they were when the user was last written
     */
    public record Advanced(UserState state, List<Effect> effects, List<Notice> notices, List<HistoryWrite> writes,
            List<Achievement> completed, List<Score> scores) {}

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
            case IdentifyUser identify -> identify(before, rules, identify, context, history);
            case CompleteAchievement complete -> complete(before, rules, complete, context, history);
            case TestMessage test -> MessageTrial.send(before, rules, test, context, history);
            case EraseUser _ -> erase(before, context);
            case SetPreferences _,GrantFreeze _,PlanPause _,DeletePause _,RestoreStreak _,GrantBoost _,ChangeBoost _,RevokeBoost _,DropDeviceTokens _ ->
                administer(before, rules, command, context, history);
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
                Advanced now = advance(context.user(), before, rules, history, context.atMs());
                return new Outcome.Repeated(now.state(), now.scores(),
                        EventTurn.repeated(now.state(), event, metric.metric(), first));
            }
        }
        Refusal refusal = rules.refusalOfEventAttributes(event.attributes().keySet());
        if (refusal == null) {
            refusal = refusalOfUser(before, rules, event);
        }
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTurn turn = begin(before, rules, event, context, history);
        var points = pointsOf(turn, context);
        var eventTurn = new EventTurn(turn, context);
        var result = eventTurn.take(event, metric, points);
        return eventTurn.refusal() != null ? new Outcome.Refused(eventTurn.refusal()) : finish(turn, context, result);
    }

    private static Refusal refusalOfUser(UserState before, CompiledRuleset rules, UserCommand command) {
        Profile profile = before == null ? Profile.BLANK : before.profile();
        if (profile.wouldSubscribeWithoutEmail(command.user())) {
            return Refusal.subscribeWithoutEmail();
        }
        if (profile.wouldHaveTooManyAttributes(command.user())) {
            return Refusal.tooManyAttributes(UserChange.MAX_ATTRIBUTES);
        }
        return rules.refusalOfUserAttributes(command.user().attributes().keySet());
    }

    private static Outcome identify(UserState before, CompiledRuleset rules, IdentifyUser identify,
            CommandContext context, UserHistory history) {
        if (before == null && identify.mustExist()) {
            return new Outcome.Refused(Refusal.unknownUser(identify.user().id().value()));
        }
        Refusal refusal = refusalOfUser(before, rules, identify);
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTurn turn = begin(before, rules, identify, context, history);
        pointsOf(turn, context).close();
        return finish(turn, context, new Outcome.UserShown());
    }

    /** application-api.md §3 "complete". */
    private static Outcome complete(UserState before, CompiledRuleset rules, CompleteAchievement complete,
            CommandContext context, UserHistory history) {
        Achievement achievement = rules.achievement(complete.achievement());
        if (achievement == null || !(achievement.trigger() instanceof AchievementTrigger.Api)) {
            return new Outcome.Refused(Refusal.unknownAchievement(complete.achievement()));
        }
        var completionId = AchievementBook.completionId(context.user(), achievement);
        // Whatever status or filters say now.
        if (before != null && before.completions().contains(achievement.number())) {
            Advanced now = advance(context.user(), before, rules, history, context.atMs());
            return new Outcome.Repeated(now.state(), now.scores(),
                    new Outcome.CompletionResult(completionId, achievement, List.of()));
        }
        Refusal refusal = achievement.status() == AchievementStatus.INACTIVE
                ? Refusal.unknownAchievement(complete.achievement())
                : achievement.status() == AchievementStatus.LOCKED
                        ? Refusal.achievementLocked(complete.achievement())
                        : refusalOfUser(before, rules, complete);
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTurn turn = begin(before, rules, complete, context, history);
        var book = new AchievementBook(turn, context.atMs());
        if (!book.isForUser(achievement)) {
            return new Outcome.Refused(Refusal.achievementNotForUser(complete.achievement()));
        }
        var points = pointsOf(turn, context);
        book.complete(achievement);
        book.completeComposites();
        points.payCompletions(book.made());
        return finish(turn, context, new Outcome.CompletionResult(completionId, achievement, points.close()));
    }

    private static Outcome erase(UserState before, CommandContext context) {
        return before == null
                ? new Outcome.Refused(Refusal.userDoesNotExist())
                : new Outcome.Erased(before, List.of(new Effect.UserErased(context.user().user(),
                        Instant.ofEpochMilli(context.atMs()))));
    }

    /** What is done to a known user, who is not changed by the user fields of the command. */
    private static Outcome administer(UserState before, CompiledRuleset rules, UserCommand command,
            CommandContext context, UserHistory history) {
        if (before == null) {
            return new Outcome.Refused(Refusal.userDoesNotExist());
        }
        UserTurn turn = begin(before, rules, command, context, history);
        var streak = new StreakRequests(turn, context.atMs());
        var boosts = new BoostBook(turn, context.atMs());
        return switch (command) {
            case SetPreferences preferences ->
                outcome(turn, context, new PreferencesTurn(turn).set(preferences), new Outcome.PreferencesShown());
            case GrantFreeze _ -> outcome(turn, context, streak.grantFreeze(), new Outcome.StreakShown());
            case PlanPause plan -> outcome(turn, context, streak.plan(plan), new Outcome.PauseShown(Pause.of(plan)));
            case DeletePause delete -> outcome(turn, context, streak.delete(delete), new Outcome.Done());
            case RestoreStreak _ -> outcome(turn, context, streak.restore(), new Outcome.StreakShown());
            case GrantBoost grant -> {
                var answer = new Outcome.BoostShown(boosts.grant(grant));
                yield outcome(turn, context, boosts.refusal(), answer);
            }
            case ChangeBoost change -> {
                var answer = new Outcome.BoostShown(boosts.change(change));
                yield outcome(turn, context, boosts.refusal(), answer);
            }
            case RevokeBoost revoke -> {
                boosts.revoke(revoke);
                yield outcome(turn, context, boosts.refusal(), new Outcome.Done());
            }
            case DropDeviceTokens drop -> {
                turn.dropTokens(drop.tokens(), context.atMs());
                yield finish(turn, context, new Outcome.Done());
            }
            case RecordEvent _,IdentifyUser _,CompleteAchievement _,TestMessage _,EraseUser _ ->
                throw new IllegalArgumentException("has a way of its own: " + command);
        };
    }

    /** @param refusal null if the command is done */
    private static Outcome outcome(UserTurn turn, CommandContext context, Refusal refusal, Outcome.Answer answer) {
        return refusal != null ? new Outcome.Refused(refusal) : finish(turn, context, answer);
    }

    /** The user's timers have fired, the command's user fields are applied. */
    private static UserTurn begin(UserState before, CompiledRuleset rules, UserCommand command,
            CommandContext context, UserHistory history) {
        UserTurn turn = before == null
                ? new UserTurn(context, rules, history)
                : advanced(context, before, rules, history, Integer.MAX_VALUE);
        turn.begin(command.user(), context.atMs());
        if (turn.isNewUser) {
            new StreakBook(turn).create(context.atMs());
        }
        return turn;
    }

    /** The points of a command; what a new user gets is in it already (semantics.md §3). */
    private static PointsBook pointsOf(UserTurn turn, CommandContext context) {
        var points = new PointsBook(turn, context.atMs());
        if (turn.isNewUser) {
            points.payCreation();
        }
        return points;
    }

    /** The end of the turn: the user is put to bed until the next timer, if that is sooner than agreed before. */
    private static Outcome.Applied finish(UserTurn turn, CommandContext context, Outcome.Answer answer) {
        new MessageBook(turn).close(context.atMs());
        turn.ranked.noteStreak(context.atMs());
        List<Score> scores = turn.ranked.close();
        long dueMs = UserTimers.nextDueMs(turn, turn.wakeUpMs == 0 ? UserTimers.NEVER : turn.wakeUpMs);
        // A wake-up that is too early costs one look; moving it at every extension would cost two writes per day.
        if (dueMs != UserTimers.NEVER && (turn.wakeUpMs == 0 || dueMs < turn.wakeUpMs)) {
            turn.wakeUpMs = dueMs;
        }
        return new Outcome.Applied(turn.toState(), turn.isNewUser, turn.effects, turn.notices, turn.history.writes(),
                turn.completed, scores, answer);
    }

    private static UserTurn advanced(CommandContext context, UserState state, CompiledRuleset rules,
            UserHistory history, int maxMoments) {
        var turn = new UserTurn(context, state, rules, history);
        Settlement.settle(turn, context.atMs());
        UserTimers.fireUntil(turn, context.atMs(), maxMoments);
        return turn;
    }

    /**
     * The state at {@code untilMs}: settled under the given rules, every timer due by then has fired, in due order. Nothing
     * else changes, and a moment in the past fires nothing.
     */
    public static Advanced advance(UserKey user, UserState state, CompiledRuleset rules, UserHistory history,
            long untilMs) {
        UserTurn turn = advanced(CommandContext.ofRead(user, untilMs), state, rules, history, Integer.MAX_VALUE);
        return new Advanced(turn.toState(), turn.effects, turn.notices, turn.history.writes(), turn.completed,
                turn.ranked.asked(untilMs));
    }

    /**
     * What a tick makes of a user whom the timers store has named, or a sweep after a new ruleset: due timers fire, and
     * {@link UserState#wakeUpMs} says when to look again.
     *
     * @param maxMoments how many due moments fire at most; where more are due, the next one is {@code wakeUpMs}
     */
    public static Advanced wake(UserState state, CompiledRuleset rules, CommandContext tick, UserHistory history,
            int maxMoments) {
        UserTurn turn = advanced(tick, state, rules, history, maxMoments);
        long dueMs = UserTimers.nextDueMs(turn, UserTimers.NEVER);
        turn.wakeUpMs = dueMs == UserTimers.NEVER ? 0 : dueMs;
        return new Advanced(turn.toState(), turn.effects, turn.notices, turn.history.writes(), turn.completed,
                turn.ranked.closeChanged());
    }
}
