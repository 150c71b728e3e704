package dev.laurel.processors.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.schemas.key.TenantId;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Assigns leaderboards to the partitions of {@code laurel.scores}. Leaderboards are few and unequal, so they are assigned in turn. All
 * groups and runs of a leaderboard are in one partition, its home. A {@link
 * dev.laurel.schemas.ruleset.Leaderboard#hasSpreadGroups spread} leaderboard has each group, with all its runs, in a partition that
 * follows from the values of the group. The partition of a group is durable data and never changes.
 *
 * @param partitions of {@code laurel.scores}
 */
public record LeaderboardLayout(int partitions) {

    /** The shift of the groups of a leaderboard that is not spread. */
    private static final int NO_SHIFT = 0;

    /** The home of a leaderboard, which announces its runs. */
    public int partitionOf(TenantId tenant, int board) {
        return Math.floorMod(tenant.value().hashCode() + board, partitions);
    }

    /** The partition that has a group. @param isSpread whether the leaderboard is spread */
    public int partitionOf(LeaderboardGroup group, boolean isSpread) {
        return partitionOf(group.tenant(), group.board(), isSpread ? shiftOf(group.values()) : NO_SHIFT);
    }

    /** The partition that has a group. */
    public int partitionOf(LeaderboardGroup group, LeaderboardRules rules) {
        return partitionOf(group, rules.isSpread());
    }

    /** The partition of the scores with a key. */
    public int partitionOf(ScoreKey key) {
        return partitionOf(key.tenant(), key.board(), key.shift());
    }

    private int partitionOf(TenantId tenant, int board, int shift) {
        int home = partitionOf(tenant, board);
        return shift == NO_SHIFT ? home : (home + Math.floorMod(shift, partitions)) % partitions;
    }

    /** How far a group is from the home of its leaderboard: a mixed hash, since similar values have similar hashes. */
    private static int shiftOf(List<String> group) {
        int hash = group.hashCode();
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    /**
     * The key of a record of {@code laurel.scores}: the leaderboard of the score. Records about all leaderboards of a partition have
     * no key.
     *
     * @param board number of the leaderboard
     * @param shift added to its home, so that the group is spread; 0 if the leaderboard is not spread
     */
    public record ScoreKey(TenantId tenant, int board, int shift) {

        /** The key of a score and of what concerns its group. */
        public static ScoreKey of(Scored scored) {
            return new ScoreKey(
                    scored.tenant(), scored.board(), scored.isSpread() ? shiftOf(scored.group()) : NO_SHIFT);
        }

        /** The number, big-endian in four bytes, and the tenant's name in UTF-8; then, if there is a shift, a zero and its four bytes. */
        public byte[] bytes() {
            byte[] name = tenant.value().getBytes(UTF_8);
            ByteBuffer bytes = ByteBuffer.allocate(
                            Integer.BYTES + name.length + (shift == NO_SHIFT ? 0 : 1 + Integer.BYTES))
                    .putInt(board)
                    .put(name);
            if (shift != NO_SHIFT) {
                bytes.put((byte) 0).putInt(shift);
            }
            return bytes.array();
        }
    }
}
