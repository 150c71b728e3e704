package dev.laurel.processors.core.view;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.Pause;
import dev.laurel.processors.core.user.StreakReading;
import dev.laurel.processors.core.user.StreakState;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.ruleset.StreakFrequency;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import dev.laurel.schemas.wire.BaseStreakBody;
import dev.laurel.schemas.wire.EventStreakBody;
import dev.laurel.schemas.wire.StreakBody;
import dev.laurel.schemas.wire.StreakBody.StreakPauseBody;
import dev.laurel.schemas.wire.StreakBody.StreakPeriodBody;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the world is shown of a streak (application-api.md §2 "Streak"). */
public final class StreakBodies {

    private StreakBodies() {}

    /**
     * In the answer to a command.
     *
     * @param history read only if the user lives dates again that are older than the newest ones of the streak
     * @param nowMs the moment the state stands for
     */
    public static EventStreakBody event(UserState state, CompiledRuleset rules, UserHistory history,
            boolean isExtended, long nowMs) {
        var shown = new Shown(state, rules, history, nowMs);
        return new EventStreakBody(shown.length, shown.frequency, shown.started, shown.periodStart, shown.periodEnd,
                shown.expires, shown.freezes, shown.maxFreezes, shown.earnInterval, shown.earnAmount, isExtended);
    }

    /** What all variants show. @param history and {@code nowMs} as in {@link #event} */
    public static BaseStreakBody base(UserState state, CompiledRuleset rules, UserHistory history, long nowMs) {
        var shown = new Shown(state, rules, history, nowMs);
        return new BaseStreakBody(shown.length, shown.frequency, shown.started, shown.periodStart, shown.periodEnd,
                shown.expires, shown.freezes, shown.maxFreezes, shown.earnInterval, shown.earnAmount);
    }

    /**
     * The streak call.
     *
     * @param nowMs the moment the state stands for
     * @param periods how many periods of history, the last one the current
     * @param rank among all users, null if there is none
     */
    public static StreakBody streak(UserState state, CompiledRuleset rules, UserHistory history, long nowMs,
            int periods, Long rank) {
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

    /** The parts that both bodies have. */
    private static final class Shown {
        private final StreakState streak;
        private final StreakReading reading;
        private final boolean isOn;
        private final int today;
        private final int length;
        private final String frequency;
        private final LocalDate started;
        private final LocalDate periodStart;
        private final LocalDate periodEnd;
        private final LocalDate expires;
        private final Optional<Integer> freezes;
        private final Optional<Integer> maxFreezes;
        private final Optional<Integer> earnInterval;
        private final Optional<Integer> earnAmount;

        Shown(UserState state, CompiledRuleset rules, UserHistory history, long nowMs) {
            this.streak = state.streak();
            this.isOn = rules.streak().isEnabled();
            this.today = Bodies.today(state, rules, nowMs);
            this.reading = new StreakReading(state, rules, history, today);
            this.length = reading.length();
            this.frequency = nameOf(rules.streak().periods().frequency());
            this.started = length == 0 ? null : LocalDate.ofEpochDay(streak.startedDay());
            this.periodStart = isOn ? LocalDate.ofEpochDay(reading.firstDay()) : null;
            this.periodEnd = isOn ? LocalDate.ofEpochDay(reading.lastDay()) : null;
            this.expires = length == 0 ? null : LocalDate.ofEpochDay(reading.expiryDay());
            Freezes rule = rules.streak().freezes();
            this.freezes = rule == null ? Optional.empty() : Optional.of(streak.freezes());
            this.maxFreezes = rule == null ? Optional.empty() : Optional.of(rule.max());
            boolean earns = rules.streak().earnsFreezes();
            this.earnInterval = earns ? Optional.of(rule.earnIntervalDays()) : Optional.empty();
            this.earnAmount = earns ? Optional.of(rule.earnAmount()) : Optional.empty();
        }

        List<StreakPeriodBody> history(int periods) {
            var bodies = new ArrayList<StreakPeriodBody>();
            if (!isOn) {
                return bodies;
            }
            for (StreakReading.Period period : reading.history(periods)) {
                bodies.add(new StreakPeriodBody(LocalDate.ofEpochDay(period.firstDay()),
                        LocalDate.ofEpochDay(period.lastDay()), period.length(),
                        freezes.isPresent() ? Optional.of(period.usedFreeze()) : Optional.empty(),
                        period.usedPause()));
            }
            return bodies;
        }

        /** Active or upcoming ones. */
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
