package dev.laurel.delivery.push;

import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the requests in flight to a service. The share of a tenant shrinks with the free permits, so that tenants with slow requests
 * leave some to the others. Thread-safe.
 */
final class RequestPermits {

    private final int total;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<TenantId, Integer> taken = new HashMap<>();
    private int inFlight;

    RequestPermits(int total) {
        this.total = total;
    }

    /** Waits for a permit, which is then to be released. @return false if none was free in time */
    boolean acquire(TenantId tenant, Duration timeout) throws InterruptedException {
        long leftNs = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (!hasRoom(tenant)) {
                if (leftNs <= 0) {
                    return false;
                }
                leftNs = freed.awaitNanos(leftNs);
            }
            taken.merge(tenant, 1, Integer::sum);
            inFlight++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom(TenantId tenant) {
        int free = total - inFlight;
        return free > 0 && taken.getOrDefault(tenant, 0) < Math.max(1, free / 2);
    }

    void release(TenantId tenant) {
        lock.lock();
        try {
            inFlight--;
            taken.computeIfPresent(tenant, (_, count) -> count == 1 ? null : count - 1);
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
