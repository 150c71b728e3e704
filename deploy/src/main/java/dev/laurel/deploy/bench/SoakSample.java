package dev.laurel.deploy.bench;

/**
 * One interval of a soak: latencies of its requests, and what the process had at its end.
 *
 * @param seconds since the load began
 * @param memory of the process
 * @param errors answers that were not as they should be
 */
public record SoakSample(double seconds, Memory memory, int threads, long openFiles, Latency eventMs, Latency readMs,
        long errors) {

    /**
     * In bytes; parts overlap with the first, and do not add up to it.
     *
     * @param resident what of the process is in RAM, {@code null} where the kernel does not tell
     * @param anonymous the part of it that is no file's, {@code null} likewise
     * @param heapAfterGc the least that was left by a collection of garbage in the interval, or before it if there was none
     * @param nonHeap classes and compiled code
     * @param direct buffers outside the heap
     * @param mapped files that are mapped: indexes of the broker's log
     * @param rocksDb caches and write buffers of all stores: grows to its limit and stays there
     */
    public record Memory(Long resident, Long anonymous, long heapAfterGc, long nonHeap, long direct, long mapped,
            long rocksDb) {}
}
