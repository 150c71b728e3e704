package dev.laurel.gateway.reply;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names of requests, unique among all gateways: 64 random bits for this one, and a counter. They are seen by our own
 * processes only, so they need not be hard to guess. Thread-safe.
 */
final class RequestIds {

    private final long gateway = new SecureRandom().nextLong();
    private final AtomicLong next = new AtomicLong();

    UUID next() {
        return new UUID(gateway, next.getAndIncrement());
    }
}
