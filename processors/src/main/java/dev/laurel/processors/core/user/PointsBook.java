package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.MetricRules.ThresholdTrigger;
import dev.laurel.processors.core.user.Outcome.SystemAwards;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
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

/**
 * The awards of one command (semantics.md §6): cap, floor, crossings, ledger entries. Boosts and the refusal of
 * {@code blockIfOutOfPoints} belong into {@link #award}; levels are looked at in {@link #close}.
 */
public final class PointsBook {

    /** Totals stay where every client can still count exactly in floating point. */
    static final long MAX_TOTAL = (1L << 53) - 1;

    private final UserState user;
    private final CompiledRuleset rules;
    private final CommandContext context;
    private final List<HistoryWrite> writes;
    private final Map<PointsSystem, List<Award>> awards = new LinkedHashMap<>(2);
    private Numbered<PointsState> points;

    PointsBook(UserState user, CompiledRuleset rules, CommandContext context, List<HistoryWrite> writes) {
        this.user = user;
        this.rules = rules;
        this.context = context;
        this.writes = writes;
        this.points = user.points();
    }

    /** @param before the metric's total before the event, @param total after it */
    void payThresholds(List<ThresholdTrigger> triggers, BigDecimal before, BigDecimal total) {
        for (ThresholdTrigger paid : triggers) {
            int system = paid.system().number();
            int trigger = paid.trigger().number();
            PointsState state = stateOf(system);
            Long known = state.crossed().get(trigger);
            // No count yet: the trigger begins here, unpaid for what was passed before it.
            long crossed = known != null ? known : crossings(before, paid.threshold());
            long now = Math.max(crossed, crossings(total, paid.threshold()));
            if (now > 0 && (known == null || now > crossed)) {
                points = points.with(system, state.withCrossed(trigger, now));
            }
            if (now > crossed) {
                award(paid.system(), paid.trigger(), saturatedProduct(now - crossed, paid.trigger().points()));
            }
        }
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
        var award = new Award(system.number(), state.awards(), context.atMs(), applied, total, trigger.number(),
                rules.version());
        points = points.with(system.number(),
                new PointsState(total, state.awards() + 1, withNewest(state.newest(), award), state.crossed()));
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
        writes.add(new HistoryWrite.PutLedgerPage(award.system(), PointsState.pageOf(award.sequence()), grown));
        return List.of();
    }

    private PointsState stateOf(int system) {
        PointsState state = points.get(system);
        return state == null ? PointsState.NONE : state;
    }

    /** The points after all awards. */
    Numbered<PointsState> points() {
        return points;
    }

    /** Says what changed, once per system. */
    List<SystemAwards> close(List<Effect> effects) {
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
            changed.add(new SystemAwards(system, added, total, made));
            effects.add(new Effect.PointsChanged(user.id(), Instant.ofEpochMilli(context.atMs()), system.id(),
                    system.key(), added, total, awarded));
        });
        return changed;
    }

    private Effect.PointsAwarded awarded(PointsSystem system, Award award) {
        return new Effect.PointsAwarded(idOf(context.user(), system, award), rules.trigger(award.trigger()).id(),
                award.awarded(), award.total());
    }

    /** An award's id: a name made of whose it is and its place in the ledger. */
    public static UUID idOf(UserKey user, PointsSystem system, Award award) {
        return UUID.nameUUIDFromBytes(
                (user.text() + "\naward\n" + system.id() + "\n" + award.sequence()).getBytes(UTF_8));
    }
}
