package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.ThrottleStore;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the groups of leaderboards that no webhook asks for any more after a change of the rules, and causes the deletion of their
 * state: a webhook that asks later starts without state. One task, one thread.
 */
final class ObsoleteGroupFinder {

    private static final int MAX_PER_CHECK = 200;

    private final ThrottleStore store;
    private final RulesetVersions rulesets;
    private final BoardThrottle boards;
    private final Map<TenantId, Long> seen = new HashMap<>();

    // The first sweep finds what has changed while this task did not run.
    private boolean isSweeping = true;
    private boolean isSweptAgain;
    private @Nullable BoardGroup sweptTo;

    ObsoleteGroupFinder(ThrottleStore store, RulesetVersions rulesets, BoardThrottle boards) {
        this.store = store;
        this.rulesets = rulesets;
        this.boards = boards;
    }

    void addTenant(TenantId tenant) {
        seen.computeIfAbsent(tenant, known -> rulesets.newest(known).version());
    }

    void check(long nowMs) {
        boolean isNew = false;
        for (Map.Entry<TenantId, Long> known : seen.entrySet()) {
            long version = rulesets.newest(known.getKey()).version();
            isNew |= known.setValue(version) != version;
        }
        if (isNew) {
            isSweptAgain = isSweeping;
            isSweeping = true;
        }
        if (isSweeping) {
            sweep(nowMs);
        }
    }

    private void sweep(long nowMs) {
        List<BoardGroup> next = store.groupsAfter(sweptTo, MAX_PER_CHECK);
        for (BoardGroup group : next) {
            addTenant(group.tenant());
            boards.makeDueIfObsolete(group, nowMs);
            sweptTo = group;
        }
        if (next.size() < MAX_PER_CHECK) {
            sweptTo = null;
            isSweeping = isSweptAgain;
            isSweptAgain = false;
        }
    }
}
