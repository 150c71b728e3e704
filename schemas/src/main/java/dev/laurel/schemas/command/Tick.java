package dev.laurel.schemas.command;

/** The clock has reached this record's timestamp: every timer of the partition that is due by then fires. */
public record Tick() implements LogCommand {}
