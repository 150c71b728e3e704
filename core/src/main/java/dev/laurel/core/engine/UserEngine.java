package dev.laurel.core.engine;

import dev.laurel.core.engine.UserTimers.AnniversaryTimers;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.CompiledRuleset.RunRewards;
import dev.laurel.core.user.ActiveDays;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserHistory.HistoryWrite;
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
import dev.laurel.schemas.command.Command.RunFinished;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.TestMessage;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;
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
    public record Advanced(
            UserState state,
            List<Effect> effects,
            List<Notice> notices,
            List<HistoryWrite> writes,
            List<Achievement> completed,
            List<Score> scores) {}

    private final @Nullable UserState before;
    private final CompiledRuleset rules;
    private final CommandContext context;
    private final UserHistory history;

    private UserEngine(@Nullable UserState before, CompiledRuleset rules, CommandContext context, UserHistory history) {
        this.before = before;
        this.rules = rules;
        this.context = context;
        this.history = history;
    }

    /**
     * Applies one command, after the timers that are due by its time. {@link KeyEditor} applies those about keys.
     *
     * @param before null: the user is new
     */
    public static Outcome apply(
            @Nullable UserState before,
            CompiledRuleset rules,
            UserCommand command,
            CommandContext context,
            UserHistory history) {
        return new UserEngine(before, rules, context, history).apply(command);
    }

    private Outcome apply(UserCommand command) {
        return switch (command) {
            case RecordEvent event -> recordEvent(event);
            case IdentifyUser identify -> identify(identify);
            case CompleteAchievement complete -> complete(complete);
            case TestMessage test ->
                ofExisting(existing -> {
                    Advanced now = advanced(existing);
                    return TestMessages.send(
                            now.state(), rules, test, context, new HistoryOverlay(history, now.writes()));
                });
            case RecordReaction reaction -> ofExisting(existing -> react(existing, reaction));
            case EraseUser _ ->
                ofExisting(existing -> new Outcome.Erased(
                        existing, List.of(new Effect.UserErased(existing.id(), Instant.ofEpochMilli(context.atMs())))));
            case SetPreferences preferences ->
                administer(
                        command,
                        _ -> new Outcome.PreferencesShown(),
                        user -> new PreferencesUpdater(user).update(preferences));
            case GrantFreeze _ ->
                administer(
                        command,
                        _ -> new Outcome.StreakShown(),
                        user -> streak(user).grantFreeze());
            case PlanPause plan ->
                administer(
                        command,
                        _ -> new Outcome.PauseShown(Pause.of(plan)),
                        user -> streak(user).plan(plan));
            case DeletePause delete ->
                administer(
                        command, _ -> new Outcome.Done(), user -> streak(user).delete(delete));
            case RestoreStreak _ ->
                administer(
                        command,
                        _ -> new Outcome.StreakShown(),
                        user -> streak(user).restore());
            case ResetStreak _ ->
                administer(
                        command,
                        _ -> new Outcome.StreakShown(),
                        user -> streak(user).reset());
            case GrantBoost grant ->
                administer(
                        command,
                        user -> boosts(user).shown(grant.boostId()),
                        user -> boosts(user).grant(grant));
            case ChangeBoost change ->
                administer(
                        command,
                        user -> boosts(user).shown(change.boostId()),
                        user -> boosts(user).change(change));
            case RevokeBoost revoke ->
                administer(
                        command, _ -> new Outcome.Done(), user -> boosts(user).revoke(revoke));
            case DropDeviceTokens drop ->
                administer(command, _ -> new Outcome.Done(), user -> {
                    user.dropTokens(drop.tokens(), context.atMs());
                    return null;
                });
            case RunFinished finished -> ofExisting(existing -> reward(existing, finished));
            case KeyCommand _ -> throw new IllegalArgumentException("not about the state of a user: " + command);
        };
    }

    private Outcome recordEvent(RecordEvent event) {
        var metric = rules.metric(event.metric());
        if (metric == null) {
            return new Outcome.Refused(Refusal.unknown("metric", event.metric()));
        }
        // This comes first: an event that was accepted once is not refused when it is sent again.
        if (before != null && event.idempotencyKey() != null) {
            var first = history.eventWith(metric.metric().number(), event.idempotencyKey());
            if (first != null) {
                Advanced now = advanced(before);
                return new Outcome.Repeated(
                        now.state(), now.scores(), EventRecorder.repeated(now.state(), event, metric.metric(), first));
            }
        }
        Refusal refusal = rules.refusalOfEventAttributes(event.attributes().keySet());
        if (refusal == null) {
            refusal = refusalOfUser(event);
        }
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTransaction user = begin(event);
        var points = pointsOf(user);
        var result = new EventRecorder(user, context).record(event, metric, points);
        return points.refusal() != null ? new Outcome.Refused(points.refusal()) : finish(user, result);
    }

    private @Nullable Refusal refusalOfUser(UserCommand command) {
        Profile profile = before == null ? Profile.BLANK : before.profile();
        if (profile.wouldSubscribeWithoutEmail(command.user())) {
            return Refusal.invalid("subscribeToEmails cannot be true: the user has no email.");
        }
        if (profile.wouldHaveTooManyAttributes(command.user())) {
            return Refusal.invalid("attributes: the user would have more than " + UserChange.MAX_ATTRIBUTES
                    + ", which is the most a user can have.");
        }
        LocalDate date = profile.signUpDateAfter(command.user(), rules.zoneOf(null));
        if (date != null && !date.equals(profile.signUpDate())) {
            ZoneId zone = rules.zoneOf(command.user().tz().appliedTo(profile.tz()));
            long newestMs = before == null ? context.atMs() : Math.max(context.atMs(), before.newestMs());
            LocalDate today = LocalDate.ofEpochDay(LocalDays.dayOf(newestMs, zone));
            if (date.isAfter(today)) {
                return Refusal.invalid(
                        "signUpDate is " + date + ", must not be after the user's today, which is " + today + ".");
            }
        }
        return rules.refusalOfUserAttributes(command.user().attributes().keySet());
    }

    private Outcome identify(IdentifyUser identify) {
        if (before == null && identify.mustExist()) {
            return new Outcome.Refused(
                    Refusal.unknown("user", identify.user().id().value()));
        }
        Refusal refusal = refusalOfUser(identify);
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTransaction user = begin(identify);
        var points = pointsOf(user);
        var achievements = new AchievementEvaluator(user, context.atMs());
        achievements.onAttributes();
        if (!achievements.completed().isEmpty()) {
            achievements.completeComposites();
            points.payCompletions(achievements.completed());
        }
        points.close();
        return finish(user, new Outcome.UserShown());
    }

    /** Completes an API achievement (docs/application-api.md §3 "complete"). */
    private Outcome complete(CompleteAchievement complete) {
        Achievement achievement = rules.achievement(complete.achievement());
        if (achievement == null || !(achievement.trigger() instanceof AchievementTrigger.Api)) {
            return new Outcome.Refused(Refusal.unknown("achievement", complete.achievement()));
        }
        var completionId = AchievementEvaluator.completionId(context.user(), achievement);
        // Status and filters no longer matter.
        if (before != null && before.completions().contains(achievement.number())) {
            Advanced now = advanced(before);
            return new Outcome.Repeated(
                    now.state(), now.scores(), new Outcome.CompletionResult(completionId, achievement, List.of()));
        }
        Refusal refusal = switch (achievement.status()) {
            case INACTIVE -> Refusal.unknown("achievement", complete.achievement());
            case LOCKED ->
                Refusal.invalid(
                        "The achievement '" + complete.achievement() + "' is locked: it takes no new completions.");
            case ACTIVE -> refusalOfUser(complete);
        };
        if (refusal != null) {
            return new Outcome.Refused(refusal);
        }
        UserTransaction user = begin(complete);
        var achievements = new AchievementEvaluator(user, context.atMs());
        if (!achievements.isForUser(achievement)) {
            return new Outcome.Refused(
                    Refusal.invalid("The user does not match the attribute filters of the achievement '"
                            + complete.achievement() + "'."));
        }
        var points = pointsOf(user);
        achievements.complete(achievement);
        achievements.onAttributes();
        achievements.completeComposites();
        points.payCompletions(achievements.completed());
        return finish(user, new Outcome.CompletionResult(completionId, achievement, points.close()));
    }

    /**
     * Rewards a rank in a final run (docs/semantics.md §7 "Rewards"). Leaderboards may write the command again long after the first one,
     * so the user keeps a key of it forever, as of an event.
     */
    private Outcome reward(UserState existing, RunFinished finished) {
        String run = Integer.toString(finished.run());
        if (history.eventWith(finished.leaderboard(), run) != null) {
            Advanced now = advanced(existing);
            return new Outcome.Repeated(now.state(), now.scores(), new Outcome.Done());
        }
        UserTransaction user = begin(finished);
        user.history().put(new HistoryWrite.UseIdempotencyKey(finished.leaderboard(), run, context.derivedEventId()));
        RunRewards rewards = rules.runRewards(finished.leaderboard());
        var achievements = new AchievementEvaluator(user, context.atMs());
        achievements.onFinalRank(rewards, finished.rank());
        achievements.completeComposites();
        var points = pointsOf(user);
        points.payFinalRank(rewards, finished.rank());
        points.payCompletions(achievements.completed());
        points.close();
        return finish(user, new Outcome.Done());
    }

    /** Applies a command that requires an existing user. */
    private Outcome ofExisting(Function<UserState, Outcome> apply) {
        return before == null ? new Outcome.Refused(Refusal.userDoesNotExist()) : apply.apply(before);
    }

    /** Notes a reaction to an email. It is no activity of the user: neither timers nor the user's newest time depend on it. */
    private static Outcome react(UserState existing, RecordReaction command) {
        MessageState messages = Boolean.FALSE.equals(existing.profile().subscribeToEmails())
                ? existing.messages()
                : existing.messages().withReaction(command.email(), command.reaction());
        return messages == existing.messages()
                ? new Outcome.Notified(existing, List.of(), new Outcome.Done())
                : new Outcome.Applied(
                        existing.withMessages(messages),
                        false,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        new Outcome.Done());
    }

    /**
     * Applies a command of operators, which carries no user properties.
     *
     * @param answer made after the change
     * @param change returns why it is refused; null: it is done
     */
    private Outcome administer(
            UserCommand command,
            Function<UserTransaction, Outcome.Answer> answer,
            Function<UserTransaction, @Nullable Refusal> change) {
        return ofExisting(_ -> {
            UserTransaction user = begin(command);
            Refusal refusal = change.apply(user);
            return refusal != null ? new Outcome.Refused(refusal) : finish(user, answer.apply(user));
        });
    }

    private StreakAdministration streak(UserTransaction user) {
        return new StreakAdministration(user, context.atMs());
    }

    private UserBoostEditor boosts(UserTransaction user) {
        return new UserBoostEditor(user, context.atMs());
    }

    /** A transaction after the timers, the command's changes of user properties, and the timers that a new zone makes due. */
    private UserTransaction begin(UserCommand command) {
        UserTransaction user = before == null
                ? UserTransaction.ofNewUser(context, rules, history)
                : advanced(context, before, rules, history, Integer.MAX_VALUE);
        ZoneId formerZone = user.zone();
        boolean hasOtherProfile = user.begin(command.user(), context.atMs());
        if (before == null) {
            user.updateActive(ActiveDays.ofNewUser(rules, user.profile().attributes()));
            new StreakTracker(user).create(context.atMs());
        }
        if (hasOtherProfile) {
            // A new zone applies from the user's newest time on (docs/semantics.md §1).
            if (before != null && !user.zone().equals(formerZone)) {
                new StreakTracker(user).changeZone(formerZone, user.newestMs());
            }
            new AnniversaryTimers(user).changeProfile();
        }
        if (before != null && user.streak().zoneChangedMs() == user.newestMs()) {
            UserTimers.fireMoved(user);
        }
        return user;
    }

    /** The awarder of a command, which has already paid a new user (docs/semantics.md §3). */
    private PointsAwarder pointsOf(UserTransaction user) {
        var points = new PointsAwarder(user, context.atMs());
        if (user.isNewUser()) {
            points.payCreation();
        }
        return points;
    }

    /** Ends the transaction, and moves the user's wake-up forward if the next timer is earlier. */
    private Outcome.Applied finish(UserTransaction user, Outcome.Answer answer) {
        new MessageScheduler(user).close(context.atMs());
        var scorer = new LeaderboardScorer(user);
        scorer.updateStreak(context.atMs());
        List<Score> scores = scorer.close();
        long dueMs = UserTimers.nextDueMs(user, user.wakeUpMs() == 0 ? UserTransaction.NEVER : user.wakeUpMs());
        // A wake-up that is too early costs one check. Moving it back with every extension would cost two writes per
        // day.
        if (dueMs != UserTransaction.NEVER && (user.wakeUpMs() == 0 || dueMs < user.wakeUpMs())) {
            user.wakeUpAt(dueMs);
        }
        return new Outcome.Applied(
                user.toState(),
                user.isNewUser(),
                user.effects(),
                user.notices(),
                user.history().writes(),
                user.completed(),
                scores,
                user.event(),
                answer);
    }

    private static UserTransaction advanced(
            CommandContext context, UserState state, CompiledRuleset rules, UserHistory history, int maxMoments) {
        var user = UserTransaction.of(state, context, rules, history);
        RulesetMigration.migrate(user, context.atMs());
        UserTimers.fireUntil(user, context.atMs(), maxMoments);
        return user;
    }

    private Advanced advanced(UserState existing) {
        return advance(context.user(), existing, rules, history, context.atMs());
    }

    /**
     * The state at {@code untilMs}, migrated to the given rules, after every timer that is due by then. Fires nothing if the
     * moment is in the past.
     */
    public static Advanced advance(
            UserKey key, UserState state, CompiledRuleset rules, UserHistory history, long untilMs) {
        UserTransaction user = advanced(CommandContext.ofRead(key, untilMs), state, rules, history, Integer.MAX_VALUE);
        return toAdvanced(user, new LeaderboardScorer(user).openScores(untilMs));
    }

    /**
     * Applies a tick to a user whose timer is due, or whom a new ruleset concerns. Fires due timers and sets
     * {@link UserState#wakeUpMs} to the next due time.
     *
     * @param maxMoments the maximum number of due moments that fire; {@code wakeUpMs} is the next one
     */
    public static Advanced wake(
            UserState state, CompiledRuleset rules, CommandContext tick, UserHistory history, int maxMoments) {
        UserTransaction user = advanced(tick, state, rules, history, maxMoments);
        long dueMs = UserTimers.nextDueMs(user, UserTransaction.NEVER);
        user.wakeUpAt(dueMs == UserTransaction.NEVER ? 0 : dueMs);
        return toAdvanced(user, new LeaderboardScorer(user).closeChanged());
    }

    private static Advanced toAdvanced(UserTransaction user, List<Score> scores) {
        return new Advanced(
                user.toState(), user.effects(), user.notices(), user.history().writes(), user.completed(), scores);
    }
}
