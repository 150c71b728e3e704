package dev.laurel.processors.delivery.webhook;

/** Carries requests to webhooks. Blocks on the virtual thread of the attempt; thread-safe. */
interface Poster extends AutoCloseable {

    /** @throws InterruptedException if nobody wants to know the outcome any more */
    Outcome post(HookTargets.Target target, Post post) throws InterruptedException;

    @Override
    default void close() {
        // nothing is held
    }
}
