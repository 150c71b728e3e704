package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.ThrottleStores;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds, when rules have changed, the leaderboards that nobody asks for any more, so that what is known of them is forgotten:
 * should somebody ask again, that begins anew. One task, one thread.
 */
final class RulesWatch {

    private static final int MAX_PER_LOOK = 200;

    private final ThrottleStores stores;
    private final RulesetVersions rulesets;
    private final BoardThrottle boards;
    private final Map<TenantId, Long> seen = new HashMap<>();

    // What has changed while this was not running is found by a first sweep.
    private boolean isSweeping = true;
    private boolean isSweptOnceMore;
    private BoardGroup sweptTo;

    RulesWatch(ThrottleStores stores, RulesetVersions rulesets, BoardThrottle boards) {
        this.stores = stores;
        this.rulesets = rulesets;
        this.boards = boards;
    }

    void heardOf(TenantId tenant) {
        seen.computeIfAbsent(tenant, known -> rulesets.newest(known).version());
    }

    void look(long nowMs) {
        boolean isNew = false;
        for (Map.Entry<TenantId, Long> known : seen.entrySet()) {
            long version = rulesets.newest(known.getKey()).version();
            isNew |= known.setValue(version) != version;
        }
        if (isNew) {
            isSweptOnceMore = isSweeping;
            isSweeping = true;
        }
        if (isSweeping) {
            sweep(nowMs);
        }
    }

    private void sweep(long nowMs) {
        List<BoardGroup> next = stores.groupsAfter(sweptTo, MAX_PER_LOOK);
        for (BoardGroup group : next) {
            heardOf(group.tenant());
            if (boards.isOutdated(group)) {
                boards.makeDue(group, nowMs);
            }
            sweptTo = group;
        }
        if (next.size() < MAX_PER_LOOK) {
            sweptTo = null;
            isSweeping = isSweptOnceMore;
            isSweptOnceMore = false;
        }
    }
}
