package dev.laurel.deploy.bench;

import java.util.Map;

/**
 * What one load of HTTP requests came to.
 *
 * @param count exchanges that ended, errors included
 * @param errors by status; 0 stands for a broken or silent connection
 */
public record LoadResult(long count, Map<Integer, Long> errors, double elapsedSeconds, double eventsPerSecond,
        Latency latencyMs) {

    public LoadResult {
        errors = Map.copyOf(errors);
    }

    public long errorCount() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }
}
