package dev.laurel.processors.core.account;

/**
 * How many users there are of each number: a hash table of primitives, some 24 bytes for each number that occurs, since
 * there may be as many numbers as users. Adding and removing allocate nothing but a larger or smaller table now and then.
 * Not thread-safe.
 */
final class LongCounts {

    /** Takes every number that occurs, in no order. */
    interface Visitor {

        /** @param users at least 1 */
        void visit(long number, long users);
    }

    private static final int LEAST_SLOTS = 4;

    /** Spreads numbers that follow each other: 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] numbers = new long[LEAST_SLOTS];

    /** 0: the slot is free. */
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

    /** @throws IllegalStateException if no user of this number was added: what is taken away was never counted */
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

    /** Users of all numbers. */
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

    /** Users of the numbers below this one. */
    long below(long number) {
        long found = 0;
        for (int slot = 0; slot < users.length; slot++) {
            found += users[slot] != 0 && numbers[slot] < number ? users[slot] : 0;
        }
        return found;
    }

    /** Where the number is, or the free slot where it belongs: linear probing. */
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

    /** Whoever was pushed on by what was in the slot moves up, so that no search ends at the gap (Knuth 6.4, algorithm R). */
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
