package dev.laurel.schemas.wire;

import java.time.Instant;

/** What the templates of messages may show. */
public record MessageBody(Instant timestamp, UserBody user) {}
