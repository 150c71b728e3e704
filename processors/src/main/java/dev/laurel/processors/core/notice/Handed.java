package dev.laurel.processors.core.notice;

import dev.laurel.schemas.outbox.Outgoing.HookEvent;

/** An event as it goes to webhooks. @param key of the outbox */
public record Handed(byte[] key, HookEvent event) {}
