package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.ThrottleStore;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the groups of leaderboards that no webhook asks for any more after a change of the rules, and causes the deletion of their
 * state: a webhook that asks later starts without state. One task, one thread.
 */
final class ObsoleteGroupFinder {

    private static final int MAX_PER_CHECK = 200;

    /** Tenants whose version is compared at one check, in turn. */
    private static final int MAX_TENANTS_PER_CHECK = 100;

    private final ThrottleStore store;
    private final RulesetVersions rulesets;
    private final BoardThrottle boards;

    /** The version of each tenant with groups here for which its groups were found last, the one to be compared next first. */
    private final LinkedHashMap<TenantId, Long> seen = new LinkedHashMap<>();

    /** The tenants whose groups are to be examined, the one whose turn is next first, with the last group examined. */
    private final LinkedHashMap<TenantId, Optional<BoardGroup>> changed = new LinkedHashMap<>();

    // The first sweep, of all groups, finds what has changed while this task did not run.
    private boolean isSweeping = true;
    private @Nullable BoardGroup sweptTo;

    ObsoleteGroupFinder(ThrottleStore store, RulesetVersions rulesets, BoardThrottle boards) {
        this.store = store;
        this.rulesets = rulesets;
        this.boards = boards;
    }

    void addTenant(TenantId tenant) {
        if (!seen.containsKey(tenant)) {
            seen.putLast(tenant, rulesets.newestVersion(tenant));
        }
    }

    void check(long nowMs) {
        compareVersions();
        if (isSweeping) {
            List<BoardGroup> next = store.groupsAfter(sweptTo, MAX_PER_CHECK);
            examine(next, nowMs);
            isSweeping = next.size() == MAX_PER_CHECK;
            sweptTo = isSweeping ? next.getLast() : null;
        } else if (!changed.isEmpty()) {
            Map.Entry<TenantId, Optional<BoardGroup>> first = changed.pollFirstEntry();
            List<BoardGroup> next = store.groupsOf(first.getKey(), first.getValue().orElse(null), MAX_PER_CHECK);
            examine(next, nowMs);
            if (next.size() == MAX_PER_CHECK) {
                changed.putLast(first.getKey(), Optional.of(next.getLast()));
            }
        }
    }

    private void compareVersions() {
        for (int i = Math.min(seen.size(), MAX_TENANTS_PER_CHECK); i > 0; i--) {
            Map.Entry<TenantId, Long> first = seen.pollFirstEntry();
            long version = rulesets.newestVersion(first.getKey());
            if (version != first.getValue()) {
                // If its groups are being examined, that begins anew: those before may have become obsolete.
                changed.put(first.getKey(), Optional.empty());
            }
            seen.putLast(first.getKey(), version);
        }
    }

    private void examine(List<BoardGroup> groups, long nowMs) {
        for (BoardGroup group : groups) {
            addTenant(group.tenant());
            boards.makeDueIfObsolete(group, nowMs);
        }
    }
}
