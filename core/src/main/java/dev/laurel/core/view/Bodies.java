package dev.laurel.core.view;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.Preferences;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.StreakBody.PauseBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.UserBody.ListedUserBody;
import dev.laurel.schemas.wire.UserBody.MetricBody;
import dev.laurel.schemas.wire.UserBody.PreferencesBody;
import dev.laurel.schemas.wire.UserBody.PreferencesBody.ConditionBody;
import dev.laurel.schemas.wire.UserBody.PreferencesBody.LeaderboardPreferencesBody;
import dev.laurel.schemas.wire.UserBody.PreferencesBody.StreakPreferencesBody;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Makes the bodies of a user's state (docs/application-api.md §2), which are the same in answers to events, in reads and in
 * webhooks. Pure. Shows a state as it is; to show the present, the caller must advance it first.
 */
public final class Bodies {

    private Bodies() {}

    public static UserBody user(UserState state) {
        Profile profile = state.profile();
        return new UserBody(
                state.id().value(),
                profile.email(),
                profile.name(),
                profile.tz() == null ? null : profile.tz().getId(),
                profile.deviceTokens(),
                !Boolean.FALSE.equals(profile.subscribeToEmails()),
                profile.signUpDate(),
                profile.attributes(),
                state.control(),
                Instant.ofEpochMilli(state.createdMs()),
                Instant.ofEpochMilli(state.updatedMs()));
    }

    /** The user in a list. */
    public static ListedUserBody listedUser(UserState state) {
        return new ListedUserBody(
                user(state),
                state.lastEventMs() == UserState.NO_EVENT ? null : Instant.ofEpochMilli(state.lastEventMs()));
    }

    /** The user's local day. */
    public static int today(UserState state, CompiledRuleset rules, long nowMs) {
        return LocalDays.dayOf(nowMs, rules.zoneOf(state.profile().tz()));
    }

    /** Leaves out conditions on metrics that the ruleset no longer has. */
    public static PreferencesBody preferences(Preferences preferences, CompiledRuleset rules) {
        var notifications = new LinkedHashMap<String, List<String>>();
        preferences
                .notifications()
                .forEach((type, channels) -> notifications.put(
                        IssueList.word(type),
                        channels.stream().map(IssueList::word).toList()));
        boolean hasStreak = preferences.streakEnabled() != null
                || preferences.streakMode() != null
                || preferences.streakMetrics() != null
                || preferences.streakDaysOff() != null;
        Optional<StreakPreferencesBody> streak = hasStreak
                ? Optional.of(new StreakPreferencesBody(
                        Optional.ofNullable(preferences.streakEnabled()),
                        Optional.ofNullable(preferences.streakMode()).map(Enum::name),
                        conditions(preferences, rules),
                        Optional.ofNullable(preferences.streakDaysOff())))
                : Optional.empty();
        return new PreferencesBody(
                notifications,
                streak,
                Optional.ofNullable(preferences.visibility())
                        .map(visibility -> new LeaderboardPreferencesBody(IssueList.word(visibility))),
                Optional.empty());
    }

    private static Optional<List<ConditionBody>> conditions(Preferences preferences, CompiledRuleset rules) {
        if (preferences.streakMetrics() == null) {
            return Optional.empty();
        }
        var bodies = new ArrayList<ConditionBody>();
        for (var threshold : preferences.streakMetrics()) {
            rules.metrics().stream()
                    .filter(metric -> metric.number() == threshold.metric())
                    .forEach(metric -> bodies.add(new ConditionBody(metric.key(), threshold.atLeast())));
        }
        return Optional.of(bodies);
    }

    public static PauseBody pause(UserState state, Pause pause) {
        return new PauseBody(
                pause.id(),
                state.id().value(),
                LocalDate.ofEpochDay(pause.start()),
                LocalDate.ofEpochDay(pause.end()),
                pause.isDeleted() ? "archived" : "active");
    }

    /** A metric with its visible achievements. */
    public static MetricBody metric(UserState state, Metric metric, CompiledRuleset rules) {
        var achievements = new ArrayList<AchievementBody>();
        for (Achievement achievement : rules.document().achievements()) {
            if (achievement.trigger() instanceof AchievementTrigger.MetricTotal total
                    && total.metric().equals(metric.key())
                    && isVisible(state, achievement)) {
                achievements.add(AchievementBodies.of(state, achievement, rules));
            }
        }
        return new MetricBody(
                metric.id(),
                metric.key(),
                metric.name(),
                "active",
                MetricState.totalOf(state.metrics(), metric.number()),
                achievements);
    }

    /**
     * Whether the user can see an achievement: an active one, or a locked one that the user has completed (docs/semantics.md
     * §4).
     */
    public static boolean isVisible(UserState state, Achievement achievement) {
        return achievement.status() == AchievementStatus.ACTIVE
                || achievement.status() == AchievementStatus.LOCKED
                        && state.completions().contains(achievement.number());
    }
}
