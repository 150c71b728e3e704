package dev.laurel.schemas.command;

/** Ends the hold of the same name; releasing what is not held changes nothing. */
public record TimersReleased(String hold) implements LogCommand {}
