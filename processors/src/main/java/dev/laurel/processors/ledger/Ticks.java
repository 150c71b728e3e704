package dev.laurel.processors.ledger;

import dev.laurel.schemas.command.Command.LogCommand;

/**
 * Sends ticks and markers for tasks. A task requests a tick when something is due, and acts when it reads the tick. Never waits. The
 * default methods are for tasks that have never caught up, and so request nothing.
 */
public interface Ticks {

    /** Requests nothing. */
    Ticks NONE = new Ticks() {};

    /** The time of a tick that is sent now, in epoch milliseconds. */
    default long nowMs() {
        return 0;
    }

    /**
     * Whether the task has read its partition of the log to the end, or nearly. Before that, the commands ahead of it may make the
     * timers that it knows obsolete.
     *
     * @param nextOffset the record that the task reads next; 0 if it has read none since it was started
     * @return false also while this is unknown: the caller repeats the call
     */
    default boolean isCaughtUp(int partition, long nextOffset) {
        return false;
    }

    /**
     * Appends a {@code Tick}, or a {@code RulesetPublished} that is missing or repeated, to a partition of the log. The caller repeats one
     * that is lost.
     *
     * @param atMs timestamp of the record: the time of the tick or of the version
     */
    default void send(int partition, LogCommand marker, long atMs) {
        throw new IllegalStateException("a task that has not caught up requests no ticks and markers");
    }
}
