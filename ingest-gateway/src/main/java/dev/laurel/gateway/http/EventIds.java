package dev.laurel.gateway.http;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Random UUIDs (version 4), as unique and as hard to guess as {@link UUID#randomUUID}, which asks the secure generator
 * once for each; this asks once for 256. A fast generator of 64 bits of state would be cheaper still, but event ids must
 * not repeat among billions, made by any number of gateways. Thread-safe.
 */
final class EventIds {

    private static final int BATCH = 256;

    private final SecureRandom random = new SecureRandom();
    private final byte[] bytes = new byte[BATCH * 2 * Long.BYTES];
    private final ByteBuffer unused = ByteBuffer.wrap(bytes).limit(0);
    private final ReentrantLock lock = new ReentrantLock();

    UUID next() {
        lock.lock();
        try {
            if (!unused.hasRemaining()) {
                random.nextBytes(bytes);
                unused.clear();
            }
            return new UUID(unused.getLong() & ~0xF000L | 0x4000L, unused.getLong() & ~0L >>> 2 | Long.MIN_VALUE);
        } finally {
            lock.unlock();
        }
    }
}
