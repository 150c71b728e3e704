package dev.laurel.core.engine;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.rules.AttributeFilters;
import dev.laurel.core.rules.CompiledRuleset.CompletionTrigger;
import dev.laurel.core.rules.CompiledRuleset.Ranked;
import dev.laurel.core.rules.CompiledRuleset.RunRewards;
import dev.laurel.core.rules.MetricRules;
import dev.laurel.core.rules.MetricRules.ThresholdTrigger;
import dev.laurel.core.rules.PointsRules;
import dev.laurel.core.rules.PointsRules.IntervalTrigger;
import dev.laurel.core.rules.PointsRules.PaidTrigger;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.ActiveBoosts;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.PointsState.SystemAwards;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Awards the points of one moment (docs/semantics.md §6): crossings, boosts, limits, levels and the ledger. */
final class PointsAwarder {

    private final UserTransaction user;
    private final long atMs;
    private final List<Tally> tallies = new ArrayList<>(2);
    private int day;
    private boolean isDayKnown;
    private @Nullable Refusal refusal;

    /** The awards of one system. */
    private static final class Tally {
        final PointsRules rules;
        final List<Award> awards = new ArrayList<>(2);
        final List<Effect.PointsAwarded> effects = new ArrayList<>(2);

        @Nullable
        ActiveBoosts boosts;

        boolean areBoostsKnown;

        Tally(PointsRules rules) {
            this.rules = rules;
        }
    }

    /** @param atMs the time of the awards */
    PointsAwarder(UserTransaction user, long atMs) {
        this.user = user;
        this.atMs = atMs;
    }

    /** Set if a deduction with {@code blockIfOutOfPoints} would go below zero, so that the event is refused. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    void payCreation() {
        for (PaidTrigger paid : user.rules().creationTriggers()) {
            payIfMatching(paid);
        }
    }

    /** @param before the metric's total before the event, @param total after it */
    void payThresholds(MetricRules metric, RecordEvent event, BigDecimal before, BigDecimal total) {
        for (ThresholdTrigger trigger : metric.triggers()) {
            if (trigger.rule().eventAttributes().isEmpty()) {
                pay(trigger, before, total);
            } else if (AttributeFilters.match(trigger.rule().eventAttributes(), event.attributes())) {
                int number = trigger.paid().trigger().number();
                BigDecimal sum = user.sum(number);
                pay(trigger, sum, user.addToSum(number, event.value()));
            }
        }
    }

    private void pay(ThresholdTrigger trigger, BigDecimal before, BigDecimal progress) {
        PaidTrigger paid = trigger.paid();
        int system = paid.system().number();
        int number = paid.trigger().number();
        PointsState state = stateOf(system);
        Long known = state.counts().get(number);
        // Without a count the trigger begins here: it does not pay earlier crossings.
        long crossed = known != null ? known : crossings(before, trigger.rule().threshold());
        long now = Math.max(crossed, crossings(progress, trigger.rule().threshold()));
        if (now > 0 && (known == null || now > crossed)) {
            user.putPoints(system, state.withCount(number, now));
        }
        // Crossings while the user filter does not match are never paid.
        if (now > crossed && isForUser(paid.trigger())) {
            long times = now - crossed;
            if (trigger.rule().blockIfOutOfPoints() && isBeyondZero(paid, times)) {
                refusal = Refusal.invalid("The event would take points '"
                        + paid.system().key() + "' below zero (trigger '"
                        + paid.trigger().key() + "').");
            } else {
                award(paid, times);
            }
        }
    }

    private boolean isBeyondZero(PaidTrigger paid, long times) {
        return stateOf(paid.system().number()).total()
                        + saturatedProduct(times, paid.trigger().points())
                < 0;
    }

    /** Pays for a streak that has been extended. @param length the present one */
    void payStreak(int length) {
        for (PaidTrigger paid : user.rules().streakTriggers(length)) {
            payIfMatching(paid);
        }
    }

    /** @param rank in a final run with these rewards */
    void payFinalRank(RunRewards rewards, int rank) {
        for (Ranked<PaidTrigger> ranked : rewards.triggers()) {
            if (ranked.includes(rank)) {
                payIfMatching(ranked.reward());
            }
        }
    }

    /** @param completed by this command, not silently */
    void payCompletions(List<Achievement> completed) {
        if (completed.isEmpty()) {
            return;
        }
        for (CompletionTrigger trigger : user.rules().completionTriggers()) {
            for (Achievement achievement : completed) {
                if (achievement.key().equals(trigger.achievement())) {
                    payIfMatching(trigger.paid());
                }
            }
        }
    }

    /**
     * Passes an interval that has ended, and pays for it if the trigger applies.
     *
     * @param passed number of the trigger's intervals that have ended, this one included
     * @return whether the total has changed
     */
    boolean payInterval(IntervalTrigger trigger, long passed) {
        passIntervals(trigger, passed);
        return payIfMatching(trigger.paid());
    }

    /** @param passed number of the trigger's intervals that have ended, paid or not */
    void passIntervals(IntervalTrigger trigger, long passed) {
        int system = trigger.paid().system().number();
        user.putPoints(
                system, stateOf(system).withCount(trigger.paid().trigger().number(), passed));
    }

    private boolean payIfMatching(PaidTrigger paid) {
        return isForUser(paid.trigger()) && award(paid, 1);
    }

    private boolean isForUser(PointsTrigger trigger) {
        return AttributeFilters.match(trigger.userAttributes(), user.profile().attributes());
    }

    private static long crossings(BigDecimal progress, long threshold) {
        if (progress.signum() <= 0) {
            return 0;
        }
        return progress.divide(BigDecimal.valueOf(threshold), 0, RoundingMode.FLOOR)
                .min(BigDecimal.valueOf(PointsState.MAX_TOTAL))
                .longValue();
    }

    private static long saturatedProduct(long count, long pointsEach) {
        long high = Math.multiplyHigh(count, pointsEach);
        long low = count * pointsEach;
        boolean fits = high == low >> 63;
        return fits
                ? Math.clamp(low, -PointsState.MAX_TOTAL, PointsState.MAX_TOTAL)
                : pointsEach > 0 ? PointsState.MAX_TOTAL : -PointsState.MAX_TOTAL;
    }

    /** The largest total that awards can reach. A total above it stays as it is. */
    static long capOf(PointsSystem system) {
        return system.maxPoints() == null ? PointsState.MAX_TOTAL : Math.min(system.maxPoints(), PointsState.MAX_TOTAL);
    }

    /** @return whether anything took effect */
    private boolean award(PaidTrigger paid, long times) {
        PointsSystem system = paid.system();
        long pointsEach = paid.trigger().points();
        Tally tally = tallyOf(paid.rules());
        ActiveBoosts boosts = pointsEach > 0 ? boostsOf(tally) : null;
        long amount = boosts == null ? saturatedProduct(times, pointsEach) : boosts.multiply(times, pointsEach);
        PointsState state = stateOf(system.number());
        // A cap that was lowered below a total leaves that total unchanged.
        long total = Math.clamp(state.total() + amount, 0, Math.max(capOf(system), state.total()));
        long applied = total - state.total();
        if (applied == 0) {
            return false;
        }
        var award = new Award(
                system.number(),
                state.awards(),
                atMs,
                applied,
                total,
                paid.trigger().number(),
                user.rules().version(),
                boosts == null ? List.of() : boosts.applied());
        record(state, award, paid.rules().boards());
        tally.awards.add(award);
        tally.effects.add(new Effect.PointsAwarded(
                award.id(user.key(), system), paid.trigger().id(), applied, total));
        return true;
    }

    private Tally tallyOf(PointsRules rules) {
        for (int i = 0; i < tallies.size(); i++) {
            if (tallies.get(i).rules == rules) {
                return tallies.get(i);
            }
        }
        var tally = new Tally(rules);
        tallies.add(tally);
        return tally;
    }

    /** Finds the boosts once per system: they depend on the moment of the awarder and on what it does not change. */
    private @Nullable ActiveBoosts boostsOf(Tally tally) {
        if (!tally.areBoostsKnown) {
            tally.areBoostsKnown = true;
            if (!tally.rules.boosts().isEmpty() || !user.boosts().isEmpty()) {
                tally.boosts = ActiveBoosts.on(
                        day(), tally.rules, user.boosts(), user.profile().attributes());
            }
        }
        return tally.boosts;
    }

    /** The local date of the awards. */
    private int day() {
        if (!isDayKnown) {
            day = user.dayOf(atMs);
            isDayKnown = true;
        }
        return day;
    }

    /** Records an award in the ledger, the total, the sum of its day and the leaderboards that compare them. */
    private void record(PointsState state, Award award, List<LeaderboardRules> boards) {
        int newestDay = state.day();
        long dayChange = state.dayChange();
        if (day() == newestDay) {
            dayChange += award.awarded();
        } else if (day() > newestDay) {
            if (state.awards() > 0 && newestDay != PointsState.NONE.day()) {
                putDay(award.system(), newestDay, BigDecimal.valueOf(dayChange));
            }
            newestDay = day();
            dayChange = award.awarded();
        } else {
            DayBucket old = user.history().day(award.system(), day());
            BigDecimal change = BigDecimal.valueOf(award.awarded());
            putDay(award.system(), day(), old == null ? change : old.change().add(change));
        }
        user.putPoints(
                award.system(),
                new PointsState(
                        award.total(),
                        state.awards() + 1,
                        withNewest(state.newest(), award),
                        state.counts(),
                        newestDay,
                        dayChange));
        if (!boards.isEmpty()) {
            new LeaderboardScorer(user)
                    .count(boards, atMs, day(), BigDecimal.valueOf(award.awarded()), BigDecimal.valueOf(award.total()));
        }
    }

    private void putDay(int system, int day, BigDecimal change) {
        user.history().put(new HistoryWrite.PutDay(system, day, DayBucket.uncounted(change)));
    }

    /** The newest awards with one more. Writes them to the ledger if they fill a page. */
    private List<Award> withNewest(List<Award> newest, Award award) {
        var grown = new ArrayList<Award>(newest.size() + 1);
        grown.addAll(newest);
        grown.add(award);
        if (grown.size() < PointsState.PAGE) {
            return grown;
        }
        user.history().put(new HistoryWrite.PutLedgerPage(award.system(), PointsState.pageOf(award.sequence()), grown));
        return List.of();
    }

    private PointsState stateOf(int system) {
        return PointsState.orNone(user.points().get(system));
    }

    /** Emits the changes, one per system, in ruleset order. */
    List<SystemAwards> close() {
        if (tallies.isEmpty()) {
            return List.of();
        }
        if (tallies.size() > 1) {
            tallies.sort(Comparator.comparingInt(tally -> tally.rules.index()));
        }
        var changed = new ArrayList<SystemAwards>(tallies.size());
        for (Tally tally : tallies) {
            if (!tally.awards.isEmpty()) {
                changed.add(emit(tally));
            }
        }
        return changed;
    }

    private SystemAwards emit(Tally tally) {
        PointsSystem system = tally.rules.system();
        long added = 0;
        for (Award award : tally.awards) {
            added += award.awarded();
        }
        long total = tally.awards.getLast().total();
        var changed = new SystemAwards(
                system, added, total, tally.awards, system.levelOf(total - added), system.levelOf(total));
        Announcements.pointsChanged(user, changed, tally.effects, atMs);
        return changed;
    }
}
