package dev.laurel.gateway.reply;

import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.key.UserKey;
import java.time.Instant;

/** An event to be stored. @param time when it happened, null: now */
public record Occurrence(UserKey user, RecordEvent event, Instant time) {}
