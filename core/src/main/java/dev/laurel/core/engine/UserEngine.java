package dev.laurel.core.engine;

import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.ActiveDays;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.ChangeBoost;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.DeletePause;
import dev.laurel.schemas.command.Command.DropDeviceTokens;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.GrantFreeze;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.KeyCommand;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.RecordReaction;
import dev.laurel.schemas.command.Command.ResetStreak;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.TestMessage;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Achievement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies commands and time to a user: a pure function of the user's state, the ruleset and the command
 * (docs/semantics.md §1). Reads no clock, draws no random numbers and writes nothing; the caller writes the results.
 * Thread-safe.
 */
public final class UserEngine {

    /**
     * A user's state at a later moment, and what happened until then.
     *
     * @param completed achievements completed silently until then
     * @param scores of a tick: the changed scores; of a read: the scores by which the leaderboards find the user's ranks, as
     *            of the last write of the user
     */
    public record Advanced(UserState state, List<Effect> effects, List<Notice> notices, List<HistoryWrite> writes,
            List<Achievement> completed, List<Score> scores) {}

    private UserEngine() {}

    /**
     * Applies one command, after the timers that are due by its time. {@link KeyEditor} applies those about keys.
     *
     * @param before null: the user is new
     */
    public static Outcome apply(@Nullable UserState before, CompiledRuleset rules, UserCommand command,
            CommandContext context,
            UserHistory history) {
        return switch (command) {
            case RecordEvent event -> recordEvent(before, rules, event, context, history);
            case IdentifyUser identify -> identify(before, rules, identify, context, history);
            case CompleteAchievement complete -> complete(before, rules, complete, context, history);
            case TestMessage test -> TestMessages.send(before, rules, test, context, history);
            case RecordReaction reaction -> react(before, reaction);
            case EraseUser _ -> erase(before, context);
            case SetPreferences _,GrantFreeze _,PlanPause _,DeletePause _,RestoreStreak _,ResetStreak _,GrantBoost _,ChangeBoost _,RevokeBoost _,DropDeviceTokens _ ->
                administer(before, rules, command, context, history);
            case KeyCommand _ -> throw new IllegalArgumentException("not about the state of a user: " + command);
        };
    }

    private static Outcome recordEvent(@Nullable UserState before, CompiledRuleset rules, RecordEvent event,
            CommandContext context, UserHistory history) {
        var metric = rules.metric(event.metric());
        if (metric == null) {
            return new Outcome.Refused(Refusal.unknownMetric(event.metric()));
        }
        // This comes first: an event that was accepted once is not refused when it is sent again.
        if (before != null && event.idempotencyKey() != null) {
            var first = history.eventWith(metric.metric().number(), event.idempotencyKey());
            if (first != null) {
                Advanced now = advance(context.user(), before, rules, history, context.atMs());
                return new Outcome.Repeated(now.state(), now.scores(),
                        EventRecorder.repeated(now.state(), event, metric.metric(), first));
            }
        }
        Refusal refusal = rules.refusalOfEventAttributes(event.attributes().keySet());
        if (refusal == null) {
            refusal = refusalOfUser(before, rules, event, context.atMs());
        }
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTransaction user = begin(before, rules, event, context, history);
        var points = pointsOf(user, context);
        var result = new EventRecorder(user, context).record(event, metric, points);
        return points.refusal() != null ? new Outcome.Refused(points.refusal()) : finish(user, context, result);
    }

    private static @Nullable Refusal refusalOfUser(@Nullable UserState before, CompiledRuleset rules,
            UserCommand command, long atMs) {
        Profile profile = before == null ? Profile.BLANK : before.profile();
        if (profile.wouldSubscribeWithoutEmail(command.user())) {
            return Refusal.subscribeWithoutEmail();
        }
        if (profile.wouldHaveTooManyAttributes(command.user())) {
            return Refusal.tooManyAttributes(UserChange.MAX_ATTRIBUTES);
        }
        LocalDate date = profile.signUpDateAfter(command.user(), rules.zoneOf(null));
        if (date != null && !date.equals(profile.signUpDate())) {
            ZoneId zone = rules.zoneOf(command.user().tz().appliedTo(profile.tz()));
            long newestMs = before == null ? atMs : Math.max(atMs, before.newestMs());
            LocalDate today = LocalDate.ofEpochDay(LocalDays.dayOf(newestMs, zone));
            if (date.isAfter(today)) {
                return Refusal.signUpInTheFuture(date, today);
            }
        }
        return rules.refusalOfUserAttributes(command.user().attributes().keySet());
    }

    private static Outcome identify(@Nullable UserState before, CompiledRuleset rules, IdentifyUser identify,
            CommandContext context, UserHistory history) {
        if (before == null && identify.mustExist()) {
            return new Outcome.Refused(Refusal.unknownUser(identify.user().id().value()));
        }
        Refusal refusal = refusalOfUser(before, rules, identify, context.atMs());
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTransaction user = begin(before, rules, identify, context, history);
        var points = pointsOf(user, context);
        var achievements = new AchievementEvaluator(user, context.atMs());
        achievements.onAttributes();
        if (!achievements.completed().isEmpty()) {
            achievements.completeComposites();
            points.payCompletions(achievements.completed());
        }
        points.close();
        return finish(user, context, new Outcome.UserShown());
    }

    /** Completes an API achievement (docs/application-api.md §3 "complete"). */
    private static Outcome complete(@Nullable UserState before, CompiledRuleset rules, CompleteAchievement complete,
            CommandContext context, UserHistory history) {
        Achievement achievement = rules.achievement(complete.achievement());
        if (achievement == null || !(achievement.trigger() instanceof AchievementTrigger.Api)) {
            return new Outcome.Refused(Refusal.unknownAchievement(complete.achievement()));
        }
        var completionId = AchievementEvaluator.completionId(context.user(), achievement);
        // Status and filters no longer matter.
        if (before != null && before.completions().contains(achievement.number())) {
            Advanced now = advance(context.user(), before, rules, history, context.atMs());
            return new Outcome.Repeated(now.state(), now.scores(),
                    new Outcome.CompletionResult(completionId, achievement, List.of()));
        }
        Refusal refusal = achievement.status() == AchievementStatus.INACTIVE
                ? Refusal.unknownAchievement(complete.achievement())
                : achievement.status() == AchievementStatus.LOCKED
                        ? Refusal.achievementLocked(complete.achievement())
                        : refusalOfUser(before, rules, complete, context.atMs());
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTransaction user = begin(before, rules, complete, context, history);
        var achievements = new AchievementEvaluator(user, context.atMs());
        if (!achievements.isForUser(achievement)) {
            return new Outcome.Refused(Refusal.achievementNotForUser(complete.achievement()));
        }
        var points = pointsOf(user, context);
        achievements.complete(achievement);
        achievements.onAttributes();
        achievements.completeComposites();
        points.payCompletions(achievements.completed());
        return finish(user, context, new Outcome.CompletionResult(completionId, achievement, points.close()));
    }

    /** Notes a reaction to an email. It is no activity of the user: neither timers nor the user's newest time depend on it. */
    private static Outcome react(@Nullable UserState before, RecordReaction command) {
        if (before == null) {
            return new Outcome.Refused(Refusal.userDoesNotExist());
        }
        MessageState messages = Boolean.FALSE.equals(before.profile().subscribeToEmails())
                ? before.messages()
                : before.messages().withReaction(command.email(), command.reaction());
        return messages == before.messages()
                ? new Outcome.Notified(before, List.of(), new Outcome.Done())
                : new Outcome.Applied(before.withMessages(messages), false, List.of(), List.of(), List.of(), List.of(),
                        List.of(), null, new Outcome.Done());
    }

    private static Outcome erase(@Nullable UserState before, CommandContext context) {
        return before == null
                ? new Outcome.Refused(Refusal.userDoesNotExist())
                : new Outcome.Erased(before, List.of(new Effect.UserErased(context.user().user(),
                        Instant.ofEpochMilli(context.atMs()))));
    }

    /** Applies the commands that require an existing user and carry no user properties. */
    private static Outcome administer(@Nullable UserState before, CompiledRuleset rules, UserCommand command,
            CommandContext context, UserHistory history) {
        if (before == null) {
            return new Outcome.Refused(Refusal.userDoesNotExist());
        }
        UserTransaction user = begin(before, rules, command, context, history);
        var streak = new StreakAdministration(user, context.atMs());
        var boosts = new UserBoostEditor(user, context.atMs());
        return switch (command) {
            case SetPreferences preferences ->
                outcome(user, context, new PreferencesUpdater(user).update(preferences),
                        new Outcome.PreferencesShown());
            case GrantFreeze _ -> outcome(user, context, streak.grantFreeze(), new Outcome.StreakShown());
            case PlanPause plan -> outcome(user, context, streak.plan(plan), new Outcome.PauseShown(Pause.of(plan)));
            case DeletePause delete -> outcome(user, context, streak.delete(delete), new Outcome.Done());
            case RestoreStreak _ -> outcome(user, context, streak.restore(), new Outcome.StreakShown());
            case ResetStreak _ -> outcome(user, context, streak.reset(), new Outcome.StreakShown());
            case GrantBoost grant -> outcome(user, context, boosts.grant(grant));
            case ChangeBoost change -> outcome(user, context, boosts.change(change));
            case RevokeBoost revoke -> outcome(user, context, boosts.revoke(revoke), new Outcome.Done());
            case DropDeviceTokens drop -> {
                user.dropTokens(drop.tokens(), context.atMs());
                yield finish(user, context, new Outcome.Done());
            }
            case RecordEvent _,IdentifyUser _,CompleteAchievement _,TestMessage _,RecordReaction _,EraseUser _,KeyCommand _ ->
                throw new IllegalArgumentException("not an administrative command: " + command);
        };
    }

    private static Outcome outcome(UserTransaction user, CommandContext context, @Nullable Refusal refusal,
            Outcome.Answer answer) {
        return refusal != null ? new Outcome.Refused(refusal) : finish(user, context, answer);
    }

    private static Outcome outcome(UserTransaction user, CommandContext context, UserBoostEditor.Result result) {
        return switch (result) {
            case UserBoostEditor.Refused(Refusal refusal) -> new Outcome.Refused(refusal);
            case UserBoostEditor.Done(UserBoost boost) -> finish(user, context, new Outcome.BoostShown(boost));
        };
    }

    /** A transaction after the timers, the command's changes of user properties, and the timers that a new zone makes due. */
    private static UserTransaction begin(@Nullable UserState before, CompiledRuleset rules, UserCommand command,
            CommandContext context, UserHistory history) {
        UserTransaction user = before == null
                ? UserTransaction.ofNewUser(context, rules, history)
                : advanced(context, before, rules, history, Integer.MAX_VALUE);
        user.begin(command.user(), context.atMs());
        if (user.isNewUser()) {
            user.updateActive(ActiveDays.ofNewUser(rules, user.profile().attributes()));
            new StreakTracker(user).create(context.atMs());
        } else if (user.streak().zoneChangedMs() == user.newestMs()) {
            UserTimers.fireMoved(user);
        }
        return user;
    }

    /** The awarder of a command, which has already paid a new user (docs/semantics.md §3). */
    private static PointsAwarder pointsOf(UserTransaction user, CommandContext context) {
        var points = new PointsAwarder(user, context.atMs());
        if (user.isNewUser()) {
            points.payCreation();
        }
        return points;
    }

    /** Ends the transaction, and moves the user's wake-up forward if the next timer is earlier. */
    private static Outcome.Applied finish(UserTransaction user, CommandContext context, Outcome.Answer answer) {
        new MessageScheduler(user).close(context.atMs());
        user.leaderboards().updateStreak(context.atMs());
        List<Score> scores = user.leaderboards().close();
        long dueMs = UserTimers.nextDueMs(user, user.wakeUpMs() == 0 ? UserTimers.NEVER : user.wakeUpMs());
        // A wake-up that is too early costs one check. Moving it back with every extension would cost two writes per day.
        if (dueMs != UserTimers.NEVER && (user.wakeUpMs() == 0 || dueMs < user.wakeUpMs())) {
            user.wakeUpAt(dueMs);
        }
        return new Outcome.Applied(user.toState(), user.isNewUser(), user.effects(), user.notices(),
                user.history().writes(), user.completed(), scores, user.event(), answer);
    }

    private static UserTransaction advanced(CommandContext context, UserState state, CompiledRuleset rules,
            UserHistory history, int maxMoments) {
        var user = UserTransaction.of(state, context, rules, history);
        RulesetMigration.migrate(user, context.atMs());
        UserTimers.fireUntil(user, context.atMs(), maxMoments);
        return user;
    }

    /**
     * The state at {@code untilMs}, migrated to the given rules, after every timer that is due by then. Fires nothing if the
     * moment is in the past.
     */
    public static Advanced advance(UserKey key, UserState state, CompiledRuleset rules, UserHistory history,
            long untilMs) {
        UserTransaction user = advanced(CommandContext.ofRead(key, untilMs), state, rules, history, Integer.MAX_VALUE);
        return new Advanced(user.toState(), user.effects(), user.notices(), user.history().writes(), user.completed(),
                user.leaderboards().openScores(untilMs));
    }

    /**
     * Applies a tick to a user whose timer is due, or whom a new ruleset concerns. Fires due timers and sets
     * {@link UserState#wakeUpMs} to the next due time.
     *
     * @param maxMoments the maximum number of due moments that fire; {@code wakeUpMs} is the next one
     */
    public static Advanced wake(UserState state, CompiledRuleset rules, CommandContext tick, UserHistory history,
            int maxMoments) {
        UserTransaction user = advanced(tick, state, rules, history, maxMoments);
        long dueMs = UserTimers.nextDueMs(user, UserTimers.NEVER);
        user.wakeUpAt(dueMs == UserTimers.NEVER ? 0 : dueMs);
        return new Advanced(user.toState(), user.effects(), user.notices(), user.history().writes(), user.completed(),
                user.leaderboards().closeChanged());
    }
}
