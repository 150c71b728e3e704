package dev.laurel.deploy.bench;

/**
 * The rate between two commits. The first interval is left out because it began before the work did, the last because
 * it goes on after the work is done; what remains holds processing, sending and committing in their true proportion.
 * Where a run is too short for two such commits the rate is all events over all time. Single-threaded.
 */
final class CommitRate {
    private final long startNanos;
    private final long target;
    private long firstNanos;
    private long firstCount;
    private long lastNanos;
    private long lastCount;
    private long endNanos;

    /** @param target the number of events committed when the work is done */
    CommitRate(long startNanos, long target) {
        this.startNanos = startNanos;
        this.target = target;
    }

    /** @param committed events of this run; must not fall */
    void committed(long committed, long nowNanos) {
        if (committed <= lastCount) {
            return;
        }
        if (committed >= target) {
            endNanos = nowNanos;
            return;
        }
        if (firstCount == 0) {
            firstCount = committed;
            firstNanos = nowNanos;
        }
        lastCount = committed;
        lastNanos = nowNanos;
    }

    boolean done() {
        return endNanos != 0;
    }

    double elapsedSeconds() {
        return (endNanos - startNanos) / 1e9;
    }

    double eventsPerSecond() {
        if (lastCount > firstCount && lastNanos > firstNanos) {
            return (lastCount - firstCount) / ((lastNanos - firstNanos) / 1e9);
        }
        return target / elapsedSeconds();
    }
}
