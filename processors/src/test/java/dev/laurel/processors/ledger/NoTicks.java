package dev.laurel.processors.ledger;

/** Ticks for tests in which none is to be sent. */
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
    public void send(int partition, long atMs) {
        throw new AssertionError("a tick was sent before the task had caught up");
    }
}
