package dev.laurel.processors.ledger;

import dev.laurel.schemas.key.TenantId;

/** Ticks for tests that must not send any. */
public final class NoTicks implements Ticks {

    @Override
    public long nowMs() {
        return 0;
    }

    @Override
    public boolean isCaughtUp(int partition, long nextOffset) {
        return false;
    }

    @Override
    public long endOfLog(int partition, long startNs) {
        return 0;
    }

    @Override
    public long readTo(int partition, long nextOffset) {
        return nextOffset;
    }

    @Override
    public void send(int partition, long atMs) {
        throw new AssertionError("a tick was sent before the task had caught up");
    }

    @Override
    public void sendMarker(int partition, TenantId tenant, long version, long atMs) {
        throw new AssertionError("a marker was sent before the task had caught up");
    }
}
