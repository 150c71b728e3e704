package dev.laurel.processors.simulation;

/** A property that holds all along a history; broken, it throws an AssertionError that begins with its name and a colon. */
interface Check {

    /** A step is about to happen. */
    default void before(World world, Step step) {}

    /** A step has happened: only what it touched is looked at. */
    default void after(World world, World.Turn turn) {}

    /** Now and then, and at the end: everything is looked at, at any price. */
    default void whole(World world) {}
}
