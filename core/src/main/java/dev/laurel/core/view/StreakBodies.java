package dev.laurel.core.view;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.StreakSnapshot;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import dev.laurel.schemas.wire.EventBody.EventStreakBody;
import dev.laurel.schemas.wire.StreakBody;
import dev.laurel.schemas.wire.StreakBody.BaseStreakBody;
import dev.laurel.schemas.wire.StreakBody.StreakPauseBody;
import dev.laurel.schemas.wire.StreakBody.StreakPeriodBody;
import java.time.Instant;
import java.time.LocalDate;
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
    public static EventStreakBody event(
            UserState state, CompiledRuleset rules, UserHistory history, boolean isExtended, long nowMs) {
        return new EventStreakBody(base(state, rules, history, nowMs), isExtended);
    }

    /** The fields of all variants. @param history and {@code nowMs} as in {@link #event} */
    public static BaseStreakBody base(UserState state, CompiledRuleset rules, UserHistory history, long nowMs) {
        return base(state, rules, new StreakSnapshot(state, rules, history, Bodies.today(state, rules, nowMs)));
    }

    private static BaseStreakBody base(UserState state, CompiledRuleset rules, StreakSnapshot snapshot) {
        boolean isOn = rules.streak().isEnabled();
        int length = snapshot.length();
        var freezes = Optional.ofNullable(rules.streak().freezes());
        var earned = Optional.ofNullable(rules.streak().earnedFreezes());
        return new BaseStreakBody(
                length,
                IssueList.word(rules.streak().periods().frequency()),
                length == 0 ? null : LocalDate.ofEpochDay(state.streak().startedDay()),
                isOn ? LocalDate.ofEpochDay(snapshot.firstDay()) : null,
                isOn ? LocalDate.ofEpochDay(snapshot.lastDay()) : null,
                length == 0 ? null : LocalDate.ofEpochDay(snapshot.expiryDay()),
                freezes.map(_ -> state.streak().freezes()),
                freezes.map(Freezes::max),
                earned.map(Freezes::earnIntervalDays),
                earned.map(Freezes::earnAmount));
    }

    /**
     * The body of the streak call.
     *
     * @param nowMs the moment of the state
     * @param periods number of periods of history, the last one the current
     * @param rank among all users; null: no rank, or it is unknown
     */
    public static StreakBody streak(
            UserState state, CompiledRuleset rules, UserHistory history, long nowMs, int periods, @Nullable Long rank) {
        int today = Bodies.today(state, rules, nowMs);
        var snapshot = new StreakSnapshot(state, rules, history, today);
        BaseStreakBody base = base(state, rules, snapshot);
        return new StreakBody(
                base,
                base.length() == 0 ? null : Instant.ofEpochMilli(state.streak().extendedAtMs()),
                rank,
                rules.streak().isEnabled() ? periods(snapshot.history(periods), base) : List.of(),
                pauses(state.streak().pauses(), today));
    }

    private static List<StreakPeriodBody> periods(List<StreakSnapshot.Period> periods, BaseStreakBody streak) {
        return periods.stream()
                .map(period -> new StreakPeriodBody(
                        LocalDate.ofEpochDay(period.firstDay()),
                        LocalDate.ofEpochDay(period.lastDay()),
                        period.length(),
                        streak.freezes().map(_ -> period.usedFreeze()),
                        period.usedPause(),
                        Optional.ofNullable(period.resetAtMs()).map(Instant::ofEpochMilli)))
                .toList();
    }

    /** The active and upcoming pauses. */
    private static List<StreakPauseBody> pauses(List<Pause> pauses, int today) {
        return pauses.stream()
                .filter(pause -> !pause.isDeleted() && pause.end() >= today)
                .map(pause -> new StreakPauseBody(
                        pause.id(), LocalDate.ofEpochDay(pause.start()), LocalDate.ofEpochDay(pause.end())))
                .toList();
    }
}
