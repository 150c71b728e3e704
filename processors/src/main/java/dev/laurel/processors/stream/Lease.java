package dev.laurel.processors.stream;

/**
 * The terms in which a process may rely on its tasks being its own. Between two terms other processes may have run them, so what was
 * true in one term need not be true in the next. Thread-safe.
 */
public interface Lease {

    /** A lease of a single term that never ends. */
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

    /** The number of the current term, or of the last one while there is none. Not negative. */
    int term();

    /** Whether this is the current term. Reads a clock, so that it is false in a process that has just been resumed. */
    boolean holds(int term);
}
