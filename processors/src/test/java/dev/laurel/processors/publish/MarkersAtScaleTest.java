package dev.laurel.processors.publish;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/**
 * Counts the markers of an edit by each tenant of a large account, whose tenants have users by Zipf's law. With
 * {@code -Dlaurel.full=true} the account has 2,000 partitions, 10,000 tenants and 100 million users.
 */
class MarkersAtScaleTest {

    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final int PARTITIONS = IS_FULL ? 2_000 : 100;
    private static final int TENANTS = IS_FULL ? 10_000 : 500;
    private static final long USERS = IS_FULL ? 100_000_000 : 50_000;
    private static final int EDITS_A_DAY = 100;
    private static final int SECONDS_A_DAY = 86_400;

    @Test
    void shouldWriteMarkersByUsersOfTheTenantNotByPartitions() {
        var layout = new LogLayout(PARTITIONS);
        double weights = 0;
        for (int i = 0; i < TENANTS; i++) {
            weights += 1.0 / (i + 1);
        }
        long markers = 0;
        long withUsers = 0;
        long ofMedian = 0;
        long users = 0;
        for (int i = 0; i < TENANTS; i++) {
            var tenant = new TenantId("tenant-" + i);
            long count = Math.max(1, Math.round(USERS / weights / (i + 1)));
            BitSet partitions = partitionsOf(tenant, count, layout);
            Ruleset first = TestRulesets.next(Ruleset.empty(tenant), "metrics: {laps: {}}", Instant.EPOCH);
            Ruleset second = TestRulesets.next(first, "metrics: {laps: {}, dives: {}}", Instant.EPOCH);
            int written =
                    EditBatch.marked(first, second, partitions, PARTITIONS).cardinality();
            assertTrue(written <= partitions.cardinality() + 1, "one more at most, in the tenant's own partition");
            users += count;
            markers += written;
            withUsers += partitions.cardinality();
            ofMedian = i == TENANTS / 2 ? written : ofMedian;
        }
        assertTrue(markers <= 2 * withUsers, "at most twice the partitions with users");
        double perSecond = (double) markers * EDITS_A_DAY / SECONDS_A_DAY;
        System.out.printf(
                "%,d partitions, %,d tenants, %,d users: %.0f markers per edit on average, %,d of the median tenant,"
                        + " instead of %,d; with %d edits a day of each tenant %,.0f markers/s, %.2f per partition%n",
                PARTITIONS,
                TENANTS,
                users,
                (double) markers / TENANTS,
                ofMedian,
                PARTITIONS,
                EDITS_A_DAY,
                perSecond,
                perSecond / PARTITIONS);
    }

    /** Stops at the user that completes all partitions. */
    private static BitSet partitionsOf(TenantId tenant, long users, LogLayout layout) {
        var partitions = new BitSet(PARTITIONS);
        for (long i = 0; i < users && partitions.cardinality() < PARTITIONS; i++) {
            partitions.set(layout.partitionOf(new UserKey(tenant, new UserId("user-" + i)).bytes()));
        }
        return partitions;
    }
}
