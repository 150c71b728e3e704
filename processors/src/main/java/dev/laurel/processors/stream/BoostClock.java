package dev.laurel.processors.stream;

import dev.laurel.processors.core.notice.BoostNews;
import dev.laurel.processors.core.rules.BoostRule;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Tells when boosts that are no single user's begin and end, once each: at their times as ticks bring them, or with the rules
 * that bring a boost later than that. A boost whose dates are moved ahead again, beyond the present, is told again; one that is
 * taken away is told no more. What was told lies in the partition's state. One task, one thread.
 */
final class BoostClock {

    /** Starts and ends told at one tick, give or take one boost's; the rest waits for the next tick. */
    static final int MAX_TOLD = 500;

    private static final long NOT_KNOWN = Long.MIN_VALUE;

    /** How far a boost has been told. */
    private static final int NOTHING = 0;
    private static final int START = 1;
    private static final int END = 2;

    private final PartitionState partition;
    private final Predicate<TenantId> isToldHere;
    private final Function<TenantId, CompiledRuleset> rulesInForce;
    private final BiConsumer<TenantId, BoostNews> teller;

    /** When there is something to tell next, {@link Long#MAX_VALUE} if never. */
    private long dueMs = NOT_KNOWN;

    /**
     * @param isToldHere whether a tenant's boosts are this partition's to tell
     * @param teller takes what is to be told, in order; called at most once for a tenant and a record of the log
     */
    BoostClock(PartitionState partition, Predicate<TenantId> isToldHere,
            Function<TenantId, CompiledRuleset> rulesInForce, BiConsumer<TenantId, BoostNews> teller) {
        this.partition = partition;
        this.isToldHere = isToldHere;
        this.rulesInForce = rulesInForce;
        this.teller = teller;
    }

    /**
     * Other rules are in force for a tenant.
     *
     * @param former those before
     * @param isHeld whether nothing may be told now; then it waits for a tick
     */
    void rulesCame(TenantId tenant, CompiledRuleset former, CompiledRuleset rules, long atMs, boolean isHeld) {
        if (!isToldHere.test(tenant)) {
            return;
        }
        Map<Integer, BoostRule> before = byNumber(former);
        for (BoostRule boost : byNumber(rules).values()) {
            BoostRule was = before.remove(boost.boost().number());
            if (was != null) {
                takeBack(tenant, was, boost, atMs);
            }
        }
        before.keySet().forEach(number -> partition.putToldOfBoost(tenant, number, NOTHING));
        if (!isHeld) {
            tell(tenant, rules, atMs, MAX_TOLD);
        }
        dueMs = NOT_KNOWN;
    }

    private static Map<Integer, BoostRule> byNumber(CompiledRuleset rules) {
        var boosts = new HashMap<Integer, BoostRule>();
        for (PointsSystem system : rules.document().pointsSystems()) {
            rules.rulesOf(system).boosts().forEach(boost -> boosts.put(boost.boost().number(), boost));
        }
        return boosts;
    }

    /** What was told of a boost and lies ahead now is told when its time comes again. */
    private void takeBack(TenantId tenant, BoostRule was, BoostRule is, long atMs) {
        int number = is.boost().number();
        int told = partition.toldOfBoost(tenant, number);
        boolean startsAgain = is.startToldMs() > was.startToldMs() && is.startToldMs() > atMs;
        boolean endsAgain = is.endToldMs() > was.endToldMs() && is.endToldMs() > atMs;
        int stillTold = startsAgain ? NOTHING : endsAgain ? Math.min(told, START) : told;
        if (stillTold != told) {
            partition.putToldOfBoost(tenant, number, stillTold);
        }
    }

    /** Whether a tick at this time would tell something. */
    boolean isWaiting(long atMs) {
        if (dueMs == NOT_KNOWN) {
            dueMs = nextDueMs();
        }
        return atMs >= dueMs;
    }

    private long nextDueMs() {
        long next = Long.MAX_VALUE;
        for (TenantId tenant : tenants()) {
            for (BoostRule boost : byNumber(rulesInForce.apply(tenant)).values()) {
                int told = partition.toldOfBoost(tenant, boost.boost().number());
                if (told < END) {
                    next = Math.min(next, told < START ? boost.startToldMs() : boost.endToldMs());
                }
            }
        }
        return next;
    }

    private List<TenantId> tenants() {
        return partition.tenants().stream().filter(isToldHere).toList();
    }

    /** Tells what is due. @return whether something is left that another tick of the same time would tell */
    boolean tick(long tickMs) {
        if (!isWaiting(tickMs)) {
            return false;
        }
        int left = MAX_TOLD;
        for (TenantId tenant : tenants()) {
            if (left > 0) {
                left -= tell(tenant, rulesInForce.apply(tenant), tickMs, left);
            }
        }
        dueMs = NOT_KNOWN;
        return isWaiting(tickMs);
    }

    /** @return how many things were told */
    private int tell(TenantId tenant, CompiledRuleset rules, long atMs, int most) {
        var news = new BoostNews(rules, atMs);
        for (PointsSystem system : rules.document().pointsSystems()) {
            for (BoostRule boost : rules.rulesOf(system).boosts()) {
                if (news.effects().size() < most) {
                    tell(tenant, system, boost, news);
                }
            }
        }
        if (!news.effects().isEmpty()) {
            teller.accept(tenant, news);
        }
        return news.effects().size();
    }

    private void tell(TenantId tenant, PointsSystem system, BoostRule boost, BoostNews news) {
        int told = partition.toldOfBoost(tenant, boost.boost().number());
        long nowMs = news.atMs();
        int due = nowMs >= boost.endToldMs() ? END : nowMs >= boost.startToldMs() ? START : NOTHING;
        if (due <= told) {
            return;
        }
        if (told < START) {
            news.started(system, boost);
        }
        if (due == END) {
            news.finished(system, boost);
        }
        partition.putToldOfBoost(tenant, boost.boost().number(), due);
    }
}
