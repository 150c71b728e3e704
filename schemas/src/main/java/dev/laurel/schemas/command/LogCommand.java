package dev.laurel.schemas.command;

/** A marker that the log carries for itself: it is about a partition, not about a user. */
public sealed interface LogCommand extends Command permits RulesetPublished, Tick, TimersHeld, TimersReleased,
        GenerationPromoted {}
