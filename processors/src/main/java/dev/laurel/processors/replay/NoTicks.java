package dev.laurel.processors.replay;

import dev.laurel.processors.stream.Ticks;

/** Asks for none: whoever only reads the log does not write to it. Those that are in it are enough. */
final class NoTicks implements Ticks {

    @Override
    public long nowMs() {
        return Long.MIN_VALUE;
    }

    @Override
    public boolean isCaughtUp(int partition, long nextOffset) {
        return false;
    }

    @Override
    public void send(int partition, long atMs) {
        throw new IllegalStateException("a shadow asks for no ticks");
    }
}
