package dev.laurel.processors.delivery.push;

import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many requests are under way at a service. The fewer places are left, the fewer a tenant may take, so that many whose
 * requests are slow do not take the last from the others. Thread-safe.
 */
final class PushPlaces {

    private final int inAll;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<TenantId, Integer> taken = new HashMap<>();
    private int underWay;

    PushPlaces(int inAll) {
        this.inAll = inAll;
    }

    /** Waits for a place, to be given back. @return false if there was none in time */
    boolean take(TenantId tenant, Duration patience) throws InterruptedException {
        long leftNs = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (!hasRoom(tenant)) {
                if (leftNs <= 0) {
                    return false;
                }
                leftNs = freed.awaitNanos(leftNs);
            }
            taken.merge(tenant, 1, Integer::sum);
            underWay++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom(TenantId tenant) {
        int free = inAll - underWay;
        return free > 0 && taken.getOrDefault(tenant, 0) < Math.max(1, free / 2);
    }

    void giveBack(TenantId tenant) {
        lock.lock();
        try {
            underWay--;
            taken.computeIfPresent(tenant, (_, count) -> count == 1 ? null : count - 1);
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
