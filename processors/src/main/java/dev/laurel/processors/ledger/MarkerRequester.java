package dev.laurel.processors.ledger;

import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.key.TenantId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Appends the markers that one partition of the log lacks. The ruleset writer writes markers only where it knows users of the tenant, and
 * it may not know yet of the first one here. So a tenant that is new to the task is watched for a while, and all others are looked at one
 * after the other, a few in each round. A version is in force when the task reads its marker from the log; a repeated marker does no
 * harm. Only the generation in force sends markers, and none while it lags. One task, one thread.
 */
final class MarkerRequester {

    /** How long a new tenant is watched. The writer learns of users by their counters, which follow the commits. */
    static final long WATCHED_MS = 60_000;

    /** The marker of the writer, and then that of the task, is usually read within this time. */
    static final long GRACE_MS = 2_000;

    private static final long LOST_AFTER_MS = 60_000;
    private static final long NEVER = Long.MIN_VALUE;

    /** Tenants that are watched; others are only looked at in turn. */
    private static final int MAX_WATCHED = 200;

    /** Tenants that are looked at in each round, beside those. */
    private static final int IN_TURN = 10;

    /** The time between the beginnings of two turns through all tenants. */
    private static final long TURN_MS = 10_000;

    private final RulesetVersions versions;
    private final PartitionState partition;
    private final UserStores users;
    private final Ticks ticks;
    private final LogCursor cursor;
    private final Map<TenantId, Watch> watched = new LinkedHashMap<>();

    /** The tenant that the turn has reached; null before the first one. */
    private @Nullable TenantId reached;

    private boolean isTurnOver = true;
    private long turnMs = NEVER;
    private long nowMs;

    /** @param nowMs the clock of the process, as later in {@link #check} */
    MarkerRequester(
            RulesetVersions versions,
            PartitionState partition,
            UserStores users,
            Ticks ticks,
            LogCursor cursor,
            long nowMs) {
        this.versions = versions;
        this.partition = partition;
        this.users = users;
        this.ticks = ticks;
        this.cursor = cursor;
        this.nowMs = nowMs;
    }

    /** A tenant of which this partition lacks a version, or may soon. */
    private final class Watch {

        private final long untilMs = nowMs + WATCHED_MS;

        /** Since when the version has been missing. */
        private long missingMs = NEVER;

        private long sentMs = NEVER;

        /** @return whether the tenant must be watched further */
        boolean check(TenantId tenant) {
            if (!isMissing(tenant)) {
                missingMs = NEVER;
                sentMs = NEVER;
                return nowMs < untilMs;
            }
            if (missingMs == NEVER) {
                missingMs = nowMs;
            }
            boolean isDue = nowMs - missingMs >= GRACE_MS && (sentMs == NEVER || nowMs - sentMs >= LOST_AFTER_MS);
            if (isDue && ticks.isCaughtUp(cursor.partition(), cursor.nextOffset())) {
                sentMs = nowMs;
                var newest = versions.newest(tenant);
                ticks.send(cursor.partition(), new RulesetPublished(tenant, newest.version()), newest.publishedMs());
            }
            return true;
        }
    }

    /** The task meets a tenant for the first time, or again after long. */
    void met(TenantId tenant) {
        if (watched.size() < MAX_WATCHED) {
            watched.computeIfAbsent(tenant, _ -> new Watch());
        }
    }

    /** Watches a tenant that lacks a version, if need be instead of one that does not. */
    private void watchMissing(TenantId tenant) {
        if (watched.size() >= MAX_WATCHED && !watched.containsKey(tenant)) {
            watched.entrySet().stream()
                    .filter(entry -> entry.getValue().missingMs == NEVER)
                    .findFirst()
                    .ifPresent(entry -> watched.remove(entry.getKey()));
        }
        met(tenant);
    }

    /** Called a few times in a second. @param systemMs the clock of the process */
    void check(long systemMs) {
        nowMs = systemMs;
        if (!cursor.isInForce()) {
            return;
        }
        if (isTurnOver && (turnMs == NEVER || nowMs - turnMs >= TURN_MS)) {
            isTurnOver = false;
            turnMs = nowMs;
        }
        if (!isTurnOver) {
            goOn();
        }
        watched.entrySet().removeIf(entry -> !entry.getValue().check(entry.getKey()));
    }

    /** Looks at the next tenants. */
    private void goOn() {
        List<TenantId> next = partition.tenantsAfter(reached, IN_TURN);
        for (TenantId tenant : next) {
            if (isMissing(tenant)) {
                watchMissing(tenant);
            }
        }
        isTurnOver = next.size() < IN_TURN;
        reached = isTurnOver ? null : next.getLast();
    }

    private boolean isMissing(TenantId tenant) {
        return versions.newestVersion(tenant) > partition.rulesetVersion(tenant) && users.haveAnyOf(tenant);
    }
}
