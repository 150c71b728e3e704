package dev.laurel.processors.ledger;

import dev.laurel.core.engine.GlobalBoostNotices;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.PointsRules.BoostRule;
import dev.laurel.processors.store.users.TenantSchedule;
import dev.laurel.processors.store.users.TenantSchedule.Kind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Announces the starts and ends of boosts that concern all users of a tenant, once each: with the first tick after their time, or with
 * the rules that add a boost later than that. A boost whose dates move into the future is announced again; a boost that is removed is
 * no longer announced. The partition's state contains what was announced. One task, one thread.
 *
 * @param isAnnouncedHere whether this partition announces the boosts of a tenant
 * @param announcer receives the announcements in their order; called at most once for a tenant and a record of the log
 */
record BoostAnnouncer(
        PartitionState partition,
        TenantSchedule schedule,
        Predicate<TenantId> isAnnouncedHere,
        Function<TenantId, CompiledRuleset> rulesInForce,
        BiConsumer<TenantId, GlobalBoostNotices> announcer) {

    /** Approximate maximum of starts and ends announced at one tick; the others wait for the next tick. */
    static final int MAX_ANNOUNCED = 500;

    /** Tenants whose boosts are looked at at one tick. */
    private static final int MAX_TENANTS = 50;

    /** The states of a boost: nothing announced, its start announced, its end announced. */
    private static final int NOTHING = 0;

    private static final int START = 1;
    private static final int END = 2;

    /**
     * Other rules are in force for a tenant.
     *
     * @param former those before
     * @param isHeld whether announcements must wait for a tick
     */
    void rulesChanged(TenantId tenant, CompiledRuleset former, CompiledRuleset rules, long atMs, boolean isHeld) {
        if (!isAnnouncedHere.test(tenant)) {
            return;
        }
        Map<Integer, BoostRule> before = byNumber(former);
        for (BoostRule boost : byNumber(rules).values()) {
            BoostRule was = before.remove(boost.boost().number());
            if (was != null) {
                takeBack(tenant, was, boost, atMs);
            }
        }
        before.keySet().forEach(number -> partition.putBoostAnnouncement(tenant, number, NOTHING));
        if (!isHeld) {
            announce(tenant, rules, atMs, MAX_ANNOUNCED);
        }
        scheduleNext(tenant, rules);
    }

    /** Sets the time of the next announcement of a tenant's boosts. */
    private void scheduleNext(TenantId tenant, CompiledRuleset rules) {
        if (isAnnouncedHere.test(tenant)) {
            schedule.put(Kind.BOOSTS, tenant, nextDueMs(tenant, rules));
        }
    }

    private static Map<Integer, BoostRule> byNumber(CompiledRuleset rules) {
        var boosts = new HashMap<Integer, BoostRule>();
        for (PointsSystem system : rules.document().pointsSystems()) {
            rules.rulesOf(system)
                    .boosts()
                    .forEach(boost -> boosts.put(boost.boost().number(), boost));
        }
        return boosts;
    }

    /** Forgets announcements of starts and ends that are in the future now. */
    private void takeBack(TenantId tenant, BoostRule was, BoostRule is, long atMs) {
        int number = is.boost().number();
        int announced = partition.boostAnnouncement(tenant, number);
        boolean startsAgain = is.startAnnouncedMs() > was.startAnnouncedMs() && is.startAnnouncedMs() > atMs;
        boolean endsAgain = is.endAnnouncedMs() > was.endAnnouncedMs() && is.endAnnouncedMs() > atMs;
        int stillAnnounced = startsAgain ? NOTHING : endsAgain ? Math.min(announced, START) : announced;
        if (stillAnnounced != announced) {
            partition.putBoostAnnouncement(tenant, number, stillAnnounced);
        }
    }

    /** Whether a tick at this time would announce something. */
    boolean isDue(long atMs) {
        return atMs >= schedule.firstMs(Kind.BOOSTS);
    }

    /** {@link TenantSchedule#NEVER} if there is none. */
    private long nextDueMs(TenantId tenant, CompiledRuleset rules) {
        long next = Long.MAX_VALUE;
        for (BoostRule boost : byNumber(rules).values()) {
            int announced = partition.boostAnnouncement(tenant, boost.boost().number());
            if (announced < END) {
                next = Math.min(next, announced < START ? boost.startAnnouncedMs() : boost.endAnnouncedMs());
            }
        }
        return next == Long.MAX_VALUE ? TenantSchedule.NEVER : next;
    }

    /** Announces what is due. @return whether another tick of the same time would announce more */
    boolean tick(long tickMs) {
        if (!isDue(tickMs)) {
            return false;
        }
        int left = MAX_ANNOUNCED;
        for (TenantId tenant : schedule.due(Kind.BOOSTS, tickMs, MAX_TENANTS)) {
            if (left > 0) {
                CompiledRuleset rules = rulesInForce.apply(tenant);
                left -= announce(tenant, rules, tickMs, left);
                scheduleNext(tenant, rules);
            }
        }
        return isDue(tickMs);
    }

    /** @return the number of announcements */
    private int announce(TenantId tenant, CompiledRuleset rules, long atMs, int most) {
        var notices = new GlobalBoostNotices(rules, atMs);
        for (PointsSystem system : rules.document().pointsSystems()) {
            for (BoostRule boost : rules.rulesOf(system).boosts()) {
                if (notices.effects().size() < most) {
                    announce(tenant, system, boost, notices);
                }
            }
        }
        if (!notices.effects().isEmpty()) {
            announcer.accept(tenant, notices);
        }
        return notices.effects().size();
    }

    private void announce(TenantId tenant, PointsSystem system, BoostRule boost, GlobalBoostNotices notices) {
        int announced = partition.boostAnnouncement(tenant, boost.boost().number());
        long nowMs = notices.atMs();
        int due = nowMs >= boost.endAnnouncedMs() ? END : nowMs >= boost.startAnnouncedMs() ? START : NOTHING;
        if (due <= announced) {
            return;
        }
        if (announced < START) {
            notices.started(system, boost);
        }
        if (due == END) {
            notices.finished(system, boost);
        }
        partition.putBoostAnnouncement(tenant, boost.boost().number(), due);
    }
}
