package dev.laurel.delivery.throttle;

import dev.laurel.schemas.outbox.Outgoing.HookEvent;

/** Stores the deliveries of events that were not merged, or no more. An event of the same key, id and time is stored once. */
public interface Deliveries {

    /** @param key of the outbox */
    void add(byte[] key, HookEvent event);

    /** Adds an event that is not sent before its time. */
    void addAtItsTime(byte[] key, HookEvent event);
}
