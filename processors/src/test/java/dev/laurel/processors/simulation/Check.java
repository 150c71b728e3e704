package dev.laurel.processors.simulation;

/** Checks a property of a history. A violation is an AssertionError that begins with the property and a colon. */
interface Check {

    /** Called before a step. */
    default void before(World world, Step step) {}

    /** Called after a step. Checks only what the step has touched. */
    default void after(World world, World.Turn turn) {}

    /** Called at times and at the end. Checks everything. */
    default void whole(World world) {}
}
