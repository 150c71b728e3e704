package dev.laurel.processors.stream;

/**
 * For how long a process may take its tasks for its own. What was true in one term need not be true in the next one: between them
 * the tasks may have been others'. Thread-safe.
 */
public interface Lease {

    /** Of those whom nobody asks. */
    Lease FOR_EVER = new Lease() {
        @Override
        public int term() {
            return 0;
        }

        @Override
        public boolean holds(int term) {
            return true;
        }
    };

    /** The number of the present term, or of the last one while there is none. Not negative. */
    int term();

    /** Whether that is the present term. Reads a clock: of a process that has just woken up it is false. */
    boolean holds(int term);
}
