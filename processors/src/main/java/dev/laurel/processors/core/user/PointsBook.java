package dev.laurel.processors.core.user;

import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.rules.CompiledRuleset.CompletionTrigger;
import dev.laurel.processors.core.rules.IntervalTrigger;
import dev.laurel.processors.core.rules.MetricRules;
import dev.laurel.processors.core.rules.MetricRules.ThresholdTrigger;
import dev.laurel.processors.core.rules.PaidTrigger;
import dev.laurel.processors.core.rules.SystemRules;
import dev.laurel.processors.core.user.Outcome.SystemAwards;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The awards of one moment in a turn (semantics.md §6): crossings, boosts, cap, floor, levels, ledger entries. */
public final class PointsBook {

    /** Totals stay where every client can still count exactly in floating point. */
    static final long MAX_TOTAL = (1L << 53) - 1;

    private final UserTurn turn;
    private final long atMs;
    private final List<Tally> tallies = new ArrayList<>(2);
    private int day;
    private boolean isDayKnown;
    private Refusal refusal;

    /** What this book does to one system. */
    private static final class Tally {
        final SystemRules rules;
        final List<Award> made = new ArrayList<>(2);
        ActiveBoosts boosts;
        boolean areBoostsKnown;

        Tally(SystemRules rules) {
            this.rules = rules;
        }
    }

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
                BigDecimal sum = turn.sum(number);
                pay(trigger, sum, turn.addToSum(number, event.value()));
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
            long times = now - crossed;
            if (trigger.rule().blockIfOutOfPoints() && isBeyondZero(paid, times)) {
                refusal = Refusal.outOfPoints(paid.system().key(), paid.trigger().key());
            } else {
                award(paid, times);
            }
        }
    }

    private boolean isBeyondZero(PaidTrigger paid, long times) {
        return stateOf(paid.system().number()).total() + saturatedProduct(times, paid.trigger().points()) < 0;
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

    /**
     * An interval has ended; it is passed whether it pays or not.
     *
     * @param passed how many of the trigger's intervals have ended, this one included
     * @return whether the total has changed
     */
    boolean payInterval(IntervalTrigger trigger, long passed) {
        passIntervals(trigger, passed);
        return payIfMatching(trigger.paid());
    }

    /** @param passed how many of the trigger's intervals have ended, paid or not */
    void passIntervals(IntervalTrigger trigger, long passed) {
        int system = trigger.paid().system().number();
        turn.points = turn.points.with(system,
                stateOf(system).withCount(trigger.paid().trigger().number(), passed));
    }

    private boolean payIfMatching(PaidTrigger paid) {
        return isForUser(paid.trigger()) && award(paid, 1);
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

    /** The most a user may have; what is above it already stays. */
    static long capOf(PointsSystem system) {
        return system.maxPoints() == null ? MAX_TOTAL : Math.min(system.maxPoints(), MAX_TOTAL);
    }

    /** @return whether anything took effect */
    private boolean award(PaidTrigger paid, long times) {
        PointsSystem system = paid.system();
        long pointsEach = paid.trigger().points();
        Tally tally = tallyOf(paid.into());
        ActiveBoosts boosts = pointsEach > 0 ? boostsOf(tally) : null;
        long amount = boosts == null ? saturatedProduct(times, pointsEach) : boosts.multiply(times, pointsEach);
        PointsState state = stateOf(system.number());
        // A cap that was lowered below a total leaves that total alone.
        long total = Math.clamp(state.total() + amount, 0, Math.max(capOf(system), state.total()));
        long applied = total - state.total();
        if (applied == 0) {
            return false;
        }
        var award = new Award(system.number(), state.awards(), atMs, applied, total, paid.trigger().number(),
                turn.rules.version(), boosts == null ? List.of() : boosts.applied());
        enter(state, award, paid.into().boards());
        tally.made.add(award);
        return true;
    }

    private Tally tallyOf(SystemRules rules) {
        for (int i = 0; i < tallies.size(); i++) {
            if (tallies.get(i).rules == rules) {
                return tallies.get(i);
            }
        }
        var tally = new Tally(rules);
        tallies.add(tally);
        return tally;
    }

    /** Looked for once per system: a book has one moment, and nothing that boosts depend on changes in it. */
    private ActiveBoosts boostsOf(Tally tally) {
        if (!tally.areBoostsKnown) {
            tally.areBoostsKnown = true;
            if (!tally.rules.boosts().isEmpty() || !turn.boosts.isEmpty()) {
                tally.boosts = ActiveBoosts.on(day(), tally.rules, turn.boosts, turn.profile.attributes());
            }
        }
        return tally.boosts;
    }

    /** The local date of what is awarded here. */
    private int day() {
        if (!isDayKnown) {
            day = turn.dayOf(atMs);
            isDayKnown = true;
        }
        return day;
    }

    /** Enters an award in the ledger, the total, the sum of its day and the leaderboards that compare them. */
    private void enter(PointsState state, Award award, List<BoardRules> boards) {
        int newestDay = state.day();
        long dayChange = state.dayChange();
        if (day() == newestDay) {
            dayChange += award.awarded();
        } else if (day() > newestDay) {
            if (state.awards() > 0 && newestDay != PointsState.NONE.day()) {
                turn.history.putDay(award.system(), newestDay, bucketOf(BigDecimal.valueOf(dayChange)));
            }
            newestDay = day();
            dayChange = award.awarded();
        } else {
            DayBucket old = turn.history.day(award.system(), day());
            BigDecimal change = BigDecimal.valueOf(award.awarded());
            turn.history.putDay(award.system(), day(), bucketOf(old == null ? change : old.change().add(change)));
        }
        turn.points = turn.points.with(award.system(), new PointsState(award.total(), state.awards() + 1,
                withNewest(state.newest(), award), state.counts(), newestDay, dayChange));
        if (!boards.isEmpty()) {
            turn.ranked.count(boards, atMs, day(), BigDecimal.valueOf(award.awarded()),
                    BigDecimal.valueOf(award.total()));
        }
    }

    private static DayBucket bucketOf(BigDecimal change) {
        return DayBucket.uncounted(change, change.signum() > 0);
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
        return PointsState.orNone(turn.points.get(system));
    }

    /** Says what changed, once per system, in ruleset order. */
    List<SystemAwards> close() {
        if (tallies.isEmpty()) {
            return List.of();
        }
        if (tallies.size() > 1) {
            tallies.sort(Comparator.comparingInt(tally -> tally.rules.place()));
        }
        var changed = new ArrayList<SystemAwards>(tallies.size());
        for (Tally tally : tallies) {
            if (!tally.made.isEmpty()) {
                changed.add(tell(tally.rules.system(), tally.made));
            }
        }
        return changed;
    }

    private SystemAwards tell(PointsSystem system, List<Award> made) {
        var at = Instant.ofEpochMilli(atMs);
        long added = 0;
        var awarded = new ArrayList<Effect.PointsAwarded>(made.size());
        for (Award award : made) {
            added += award.awarded();
            awarded.add(awarded(system, award));
        }
        long total = made.getLast().total();
        turn.emit(new Effect.PointsChanged(turn.key.user(), at, system.id(), system.key(), added, total, awarded));
        var changed = new SystemAwards(system, added, total, made, system.levelOf(total - added),
                system.levelOf(total));
        turn.hooks.pointsChanged(changed, atMs);
        if (changed.changedLevel()) {
            turn.emit(new Effect.LevelChanged(turn.key.user(), at, system.id(), system.key(), total,
                    idOf(changed.levelBefore()), idOf(changed.level())));
            turn.hooks.levelChanged(changed, atMs);
        }
        return changed;
    }

    private static UUID idOf(Level level) {
        return level == null ? null : level.id();
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
