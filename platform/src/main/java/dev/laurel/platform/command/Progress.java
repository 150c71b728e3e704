package dev.laurel.platform.command;

/** Takes the progress of a long operation: its steps, one after the other. Used by one thread. */
public interface Progress {

    /**
     * Begins a step, which ends the one before.
     *
     * @param name what is done, for people, such as {@code read the log}
     * @param unitName plural of the unit, such as {@code records}
     * @param amount estimated total, in units
     */
    void begin(String name, String unitName, long amount);

    /** @param done units of the step that are complete; may exceed the estimated total */
    void stepTo(long done);

    /** Ends the step, complete or not. */
    void end();
}
