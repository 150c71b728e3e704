package dev.laurel.schemas.command;

/** Gives a known user the longest streak of the window back (semantics.md §5 "Restore"). */
public record RestoreStreak(UserChange user) implements UserCommand {}
