package dev.laurel.processors.stream;

/** Appends a {@code Tick} to a partition of the log. Does not wait; a tick that gets lost is sent again. */
public interface TickSender {

    /** @param nowMs becomes the record's timestamp */
    void send(int partition, long nowMs);
}
