package dev.laurel.processors.stream;

/** How a task gets its ticks: it asks for one when something waits for it, and acts when it reads it. Never waits. */
public interface Ticks {

    /** The time that a tick sent now carries, in epoch milliseconds. */
    long nowMs();

    /**
     * Whether the task has read its partition of the log to the end, or nearly. While it has not, the timers it knows of may
     * long be overtaken by the commands ahead of it.
     *
     * @param nextOffset the record that the task reads next; negative if it has read none since it was started
     * @return false also while it is not known: ask again
     */
    boolean isCaughtUp(int partition, long nextOffset);

    /**
     * Appends a {@code Tick} to a partition of the log. One that gets lost is the caller's to repeat.
     *
     * @param atMs becomes the record's timestamp
     */
    void send(int partition, long atMs);
}
