package dev.laurel.core.view;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.StreakSnapshot;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.wire.EventBody.EventStreakBody;
import dev.laurel.schemas.wire.StreakBody.BaseStreakBody;
import dev.laurel.schemas.wire.StreakBody.StreakPauseBody;
import dev.laurel.schemas.wire.StreakBody.StreakPeriodBody;
import dev.laurel.schemas.wire.StreakBody;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the bodies of streaks (docs/application-api.md §2 "Streak"). */
public final class StreakBodies {

    private StreakBodies() {}

    /**
     * The body in the answer to a command.
     *
     * @param history read only if the user's date is before the newest dates of the streak
     * @param nowMs the moment of the state
     */
    public static EventStreakBody event(UserState state, CompiledRuleset rules, UserHistory history,
            boolean isExtended, long nowMs) {
        var shown = new Shown(state, rules, history, nowMs);
        return new EventStreakBody(shown.length, shown.frequency, shown.started, shown.periodStart, shown.periodEnd,
                shown.expires, shown.freezes, shown.maxFreezes, shown.earnInterval, shown.earnAmount, isExtended);
    }

    /** The fields of all variants. @param history and {@code nowMs} as in {@link #event} */
    public static BaseStreakBody base(UserState state, CompiledRuleset rules, UserHistory history, long nowMs) {
        var shown = new Shown(state, rules, history, nowMs);
        return new BaseStreakBody(shown.length, shown.frequency, shown.started, shown.periodStart, shown.periodEnd,
                shown.expires, shown.freezes, shown.maxFreezes, shown.earnInterval, shown.earnAmount);
    }

    /**
     * The body of the streak call.
     *
     * @param nowMs the moment of the state
     * @param periods number of periods of history, the last one the current
     * @param rank among all users; null: no rank, or it is unknown
     */
    public static StreakBody streak(UserState state, CompiledRuleset rules, UserHistory history, long nowMs,
            int periods, @Nullable Long rank) {
        var shown = new Shown(state, rules, history, nowMs);
        return new StreakBody(shown.length, shown.frequency, shown.started, shown.periodStart, shown.periodEnd,
                shown.expires, shown.freezes, shown.maxFreezes, shown.earnInterval, shown.earnAmount,
                shown.length == 0 ? null : Instant.ofEpochMilli(state.streak().extendedAtMs()), rank,
                shown.history(periods), shown.pauses());
    }

    static String nameOf(StreakFrequency frequency) {
        return switch (frequency) {
            case DAILY -> "daily";
            case WEEKLY -> "weekly";
            case MONTHLY -> "monthly";
        };
    }

    /** The fields of all bodies. */
    private static final class Shown {
        private final StreakState streak;
        private final StreakSnapshot snapshot;
        private final boolean isOn;
        private final int today;
        private final int length;
        private final String frequency;
        private final @Nullable LocalDate started;
        private final @Nullable LocalDate periodStart;
        private final @Nullable LocalDate periodEnd;
        private final @Nullable LocalDate expires;
        private final Optional<Integer> freezes;
        private final Optional<Integer> maxFreezes;
        private final Optional<Integer> earnInterval;
        private final Optional<Integer> earnAmount;

        Shown(UserState state, CompiledRuleset rules, UserHistory history, long nowMs) {
            this.streak = state.streak();
            this.isOn = rules.streak().isEnabled();
            this.today = Bodies.today(state, rules, nowMs);
            this.snapshot = new StreakSnapshot(state, rules, history, today);
            this.length = snapshot.length();
            this.frequency = nameOf(rules.streak().periods().frequency());
            this.started = length == 0 ? null : LocalDate.ofEpochDay(streak.startedDay());
            this.periodStart = isOn ? LocalDate.ofEpochDay(snapshot.firstDay()) : null;
            this.periodEnd = isOn ? LocalDate.ofEpochDay(snapshot.lastDay()) : null;
            this.expires = length == 0 ? null : LocalDate.ofEpochDay(snapshot.expiryDay());
            Freezes rule = rules.streak().freezes();
            this.freezes = rule == null ? Optional.empty() : Optional.of(streak.freezes());
            this.maxFreezes = rule == null ? Optional.empty() : Optional.of(rule.max());
            Freezes earned = rules.streak().earnedFreezes();
            this.earnInterval = earned == null ? Optional.empty() : Optional.of(earned.earnIntervalDays());
            this.earnAmount = earned == null ? Optional.empty() : Optional.of(earned.earnAmount());
        }

        List<StreakPeriodBody> history(int periods) {
            var bodies = new ArrayList<StreakPeriodBody>();
            if (!isOn) {
                return bodies;
            }
            for (StreakSnapshot.Period period : snapshot.history(periods)) {
                bodies.add(new StreakPeriodBody(LocalDate.ofEpochDay(period.firstDay()),
                        LocalDate.ofEpochDay(period.lastDay()), period.length(),
                        freezes.isPresent() ? Optional.of(period.usedFreeze()) : Optional.empty(),
                        period.usedPause(), Optional.ofNullable(period.resetAtMs()).map(Instant::ofEpochMilli)));
            }
            return bodies;
        }

        /** The active and upcoming pauses. */
        List<StreakPauseBody> pauses() {
            var bodies = new ArrayList<StreakPauseBody>();
            for (Pause pause : streak.pauses()) {
                if (!pause.isDeleted() && pause.end() >= today) {
                    bodies.add(new StreakPauseBody(pause.id(), LocalDate.ofEpochDay(pause.start()),
                            LocalDate.ofEpochDay(pause.end())));
                }
            }
            return bodies;
        }
    }
}
