package dev.laurel.processors.core.statistics;

/**
 * Counts users by a number. A hash table of primitives with about 24 bytes per number, since there may be as many numbers as
 * users. It starts with four slots and shrinks again, since there may be thousands of tables. Allocates only when it grows or
 * shrinks. Not thread-safe.
 */
final class LongCounts {

    /** Visits every number with users, in no order. */
    interface Visitor {

        /** @param users at least 1 */
        void visit(long number, long users);
    }

    private static final int LEAST_SLOTS = 4;

    /** Spreads consecutive numbers: 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] numbers = new long[LEAST_SLOTS];

    /** 0 if the slot is free. */
    private int[] users = new int[LEAST_SLOTS];
    private int distinct;
    private long sum;

    void add(long number) {
        int slot = slotOf(number);
        if (users[slot] == 0) {
            if (++distinct * 4L > numbers.length * 3L) {
                resize(numbers.length * 2);
                slot = slotOf(number);
            }
            numbers[slot] = number;
        }
        users[slot]++;
        sum++;
    }

    /** @throws IllegalStateException if there is no user with this number */
    void remove(long number) {
        int slot = slotOf(number);
        if (users[slot] == 0) {
            throw new IllegalStateException("no user was counted under " + number);
        }
        sum--;
        if (--users[slot] == 0) {
            close(slot);
            if (--distinct * 8L < numbers.length && numbers.length > LEAST_SLOTS) {
                resize(numbers.length / 2);
            }
        }
    }

    /** The number of all users. */
    long sum() {
        return sum;
    }

    void forEach(Visitor visitor) {
        for (int slot = 0; slot < users.length; slot++) {
            if (users[slot] != 0) {
                visitor.visit(numbers[slot], users[slot]);
            }
        }
    }

    /** The slot of the number, or the free slot for it, by linear probing. */
    private int slotOf(long number) {
        int slot = homeOf(number);
        while (users[slot] != 0 && numbers[slot] != number) {
            slot = next(slot);
        }
        return slot;
    }

    private int homeOf(long number) {
        return (int) (number * SPREAD >>> Long.numberOfLeadingZeros(numbers.length - 1));
    }

    private int next(int slot) {
        return slot + 1 & numbers.length - 1;
    }

    /** Moves displaced entries into a gap, so that searches do not end there too early (Knuth 6.4, algorithm R). */
    private void close(int gap) {
        int slot = next(gap);
        while (users[slot] != 0) {
            int home = homeOf(numbers[slot]);
            boolean isHomeBetween = gap <= slot ? gap < home && home <= slot : gap < home || home <= slot;
            if (!isHomeBetween) {
                numbers[gap] = numbers[slot];
                users[gap] = users[slot];
                users[slot] = 0;
                gap = slot;
            }
            slot = next(slot);
        }
    }

    private void resize(int slots) {
        long[] formerNumbers = numbers;
        int[] formerUsers = users;
        numbers = new long[slots];
        users = new int[slots];
        for (int i = 0; i < formerUsers.length; i++) {
            if (formerUsers[i] != 0) {
                int slot = slotOf(formerNumbers[i]);
                numbers[slot] = formerNumbers[i];
                users[slot] = formerUsers[i];
            }
        }
    }
}
