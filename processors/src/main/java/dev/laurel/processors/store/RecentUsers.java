package dev.laurel.processors.store;

import dev.laurel.processors.core.user.UserState;
import java.util.Arrays;

/**
 * The states that a task has read or written last, beside the bytes they have in the store: users come in bursts, and
 * decoding a state takes longer than all rules together. The store stays the truth: a state counts only as long as the
 * store holds exactly its bytes, so whatever becomes of a transaction, nothing old is seen. One thread.
 */
final class RecentUsers {

    /** Of all tasks together, if one process has them all: a state takes about four kilobytes. */
    private static final int SLOTS_OF_ALL = 16_384;
    private static final int MIN_SLOTS = 256;

    private final byte[][] stored;
    private final UserState[] states;
    private final int shift;

    /** @param tasks how many share the memory at most */
    RecentUsers(int tasks) {
        int slots = Integer.highestOneBit(Math.max(MIN_SLOTS, SLOTS_OF_ALL / tasks));
        this.stored = new byte[slots][];
        this.states = new UserState[slots];
        this.shift = Integer.SIZE - Integer.numberOfTrailingZeros(slots);
    }

    /** The state of these bytes; null if it is not known any more. @param user the user key's bytes */
    UserState get(byte[] user, byte[] bytes) {
        int slot = slotOf(user);
        return Arrays.equals(stored[slot], bytes) ? states[slot] : null;
    }

    void put(byte[] user, byte[] bytes, UserState state) {
        int slot = slotOf(user);
        stored[slot] = bytes;
        states[slot] = state;
    }

    private int slotOf(byte[] user) {
        int hash = Arrays.hashCode(user) * 0x9E3779B9; // ids that count up fall into slots far apart
        return hash >>> shift;
    }
}
