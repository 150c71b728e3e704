package dev.laurel.schemas.command;

import java.time.Instant;

/** An event of a batch. @param time when it happened, null: now */
public record TimedEvent(RecordEvent event, Instant time) {}
