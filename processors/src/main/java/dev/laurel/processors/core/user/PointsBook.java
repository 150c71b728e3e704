package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.rules.CompiledRuleset.CompletionTrigger;
import dev.laurel.processors.core.rules.IntervalTrigger;
import dev.laurel.processors.core.rules.MetricRules;
import dev.laurel.processors.core.rules.MetricRules.ThresholdTrigger;
import dev.laurel.processors.core.rules.PaidTrigger;
import dev.laurel.processors.core.user.Outcome.SystemAwards;
import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The awards of one moment in a turn (semantics.md §6): crossings, boosts, cap, floor, levels, ledger entries. */
public final class PointsBook {

    /** Totals stay where every client can still count exactly in floating point. */
    static final long MAX_TOTAL = (1L << 53) - 1;

    private final UserTurn turn;
    private final long atMs;
    private final Map<PointsSystem, List<Award>> awards = new LinkedHashMap<>(2);
    private Refusal refusal;

    /** @param atMs the date of what is awarded here */
    PointsBook(UserTurn turn, long atMs) {
        this.turn = turn;
        this.atMs = atMs;
    }

    /** Why the event cannot be: a deduction with {@code blockIfOutOfPoints} would go below zero. Null if none does. */
    Refusal refusal() {
        return refusal;
    }

    /** The user has just been created. */
    void payCreation() {
        for (PaidTrigger paid : turn.rules.creationTriggers()) {
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
                BigDecimal sum = turn.sums.get(number);
                BigDecimal grown = sum == null ? event.value() : Amounts.canonical(sum.add(event.value()));
                turn.sums = turn.sums.with(number, grown);
                pay(trigger, sum == null ? BigDecimal.ZERO : sum, grown);
            }
        }
    }

    private void pay(ThresholdTrigger trigger, BigDecimal before, BigDecimal progress) {
        PaidTrigger paid = trigger.paid();
        int system = paid.system().number();
        int number = paid.trigger().number();
        PointsState state = stateOf(system);
        Long known = state.counts().get(number);
        // No count yet: the trigger begins here, unpaid for what was passed before it.
        long crossed = known != null ? known : crossings(before, trigger.rule().threshold());
        long now = Math.max(crossed, crossings(progress, trigger.rule().threshold()));
        if (now > 0 && (known == null || now > crossed)) {
            turn.points = turn.points.with(system, state.withCount(number, now));
        }
        // What is passed while the user filter does not match is passed unpaid.
        if (now > crossed && isForUser(paid.trigger())) {
            award(paid.system(), paid.trigger(), saturatedProduct(now - crossed, paid.trigger().points()));
        }
    }

    /** The streak has been extended. @param length what it has reached */
    void payStreak(int length) {
        for (PaidTrigger paid : turn.rules.streakTriggers(length)) {
            payIfMatching(paid);
        }
    }

    /** @param completed in this command, not silently */
    void payCompletions(List<Achievement> completed) {
        if (completed.isEmpty()) {
            return;
        }
        for (CompletionTrigger trigger : turn.rules.completionTriggers()) {
            for (Achievement achievement : completed) {
                if (achievement.number() == trigger.achievement()) {
                    payIfMatching(trigger.paid());
                }
            }
        }
    }

    /** An interval has ended; it is passed whether it pays or not. */
    void payInterval(IntervalTrigger trigger) {
        PaidTrigger paid = trigger.paid();
        int system = paid.system().number();
        PointsState state = stateOf(system);
        Long passed = state.counts().get(paid.trigger().number());
        turn.points = turn.points.with(system,
                state.withCount(paid.trigger().number(), (passed == null ? 0 : passed) + 1));
        payIfMatching(paid);
    }

    private void payIfMatching(PaidTrigger paid) {
        if (isForUser(paid.trigger())) {
            award(paid.system(), paid.trigger(), paid.trigger().points());
        }
    }

    private boolean isForUser(PointsTrigger trigger) {
        return AttributeFilters.match(trigger.userAttributes(), turn.profile.attributes());
    }

    private static long crossings(BigDecimal progress, long threshold) {
        if (progress.signum() <= 0) {
            return 0;
        }
        return progress.divide(BigDecimal.valueOf(threshold), 0, RoundingMode.FLOOR).min(BigDecimal.valueOf(MAX_TOTAL))
                .longValue();
    }

    private static long saturatedProduct(long count, long pointsEach) {
        long high = Math.multiplyHigh(count, pointsEach);
        long low = count * pointsEach;
        boolean fits = high == low >> 63;
        return fits ? Math.clamp(low, -MAX_TOTAL, MAX_TOTAL) : pointsEach > 0 ? MAX_TOTAL : -MAX_TOTAL;
    }

    private void award(PointsSystem system, PointsTrigger trigger, long amount) {
        PointsState state = stateOf(system.number());
        long cap = system.maxPoints() == null ? MAX_TOTAL : system.maxPoints();
        // A cap that was lowered below a total leaves that total alone.
        long total = Math.clamp(state.total() + amount, 0, Math.max(cap, state.total()));
        long applied = total - state.total();
        if (applied == 0) {
            return;
        }
        var award = new Award(system.number(), state.awards(), atMs, applied, total, trigger.number(),
                turn.rules.version(), List.of());
        turn.points = turn.points.with(system.number(), new PointsState(total, state.awards() + 1,
                withNewest(state.newest(), award), state.counts(), state.day(), state.dayChange()));
        awards.computeIfAbsent(system, _ -> new ArrayList<>(2)).add(award);
    }

    /** The newest awards with one more; a page that is full by it goes to the ledger. */
    private List<Award> withNewest(List<Award> newest, Award award) {
        var grown = new ArrayList<Award>(newest.size() + 1);
        grown.addAll(newest);
        grown.add(award);
        if (grown.size() < PointsState.PAGE) {
            return grown;
        }
        turn.history.putLedgerPage(award.system(), PointsState.pageOf(award.sequence()), grown);
        return List.of();
    }

    private PointsState stateOf(int system) {
        PointsState state = turn.points.get(system);
        return state == null ? PointsState.NONE : state;
    }

    /** Says what changed, once per system. */
    List<SystemAwards> close() {
        if (awards.isEmpty()) {
            return List.of();
        }
        var changed = new ArrayList<SystemAwards>(awards.size());
        awards.forEach((system, made) -> {
            long added = 0;
            var awarded = new ArrayList<Effect.PointsAwarded>(made.size());
            for (Award award : made) {
                added += award.awarded();
                awarded.add(awarded(system, award));
            }
            long total = made.getLast().total();
            changed.add(new SystemAwards(system, added, total, made, null, null));
            turn.emit(new Effect.PointsChanged(turn.key.user(), Instant.ofEpochMilli(atMs), system.id(), system.key(),
                    added, total, awarded));
        });
        return changed;
    }

    private Effect.PointsAwarded awarded(PointsSystem system, Award award) {
        return new Effect.PointsAwarded(idOf(turn.key, system, award), turn.rules.trigger(award.trigger()).id(),
                award.awarded(), award.total());
    }

    /** An award's id: a name made of whose it is and its place in the ledger. */
    public static UUID idOf(UserKey user, PointsSystem system, Award award) {
        return UUID.nameUUIDFromBytes(
                (user.text() + "\naward\n" + system.id() + "\n" + award.sequence()).getBytes(UTF_8));
    }
}
