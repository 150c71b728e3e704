package dev.laurel.deploy.bench;

/**
 * What a number of events cost the whole process, broker included.
 *
 * @param writtenBytesPerThousand bytes given to storage, counted once when a page becomes dirty
 * @param systemCallBytesPerThousand bytes passed to write calls, sockets included; 0 where the kernel does not tell
 * @param residentBytes memory now, {@code null} where the kernel does not tell
 * @param residentBytesMax the most memory so far, likewise
 */
public record ResourceUse(long events, double cpuSecondsPerThousand, double writtenBytesPerThousand,
        double systemCallBytesPerThousand, Long residentBytes, Long residentBytesMax) {}
