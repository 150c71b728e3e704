package dev.laurel.processors.topology;

import dev.laurel.processors.stream.Telling;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.trace.Tracing;

/**
 * Which fold of the log an application makes, and how.
 *
 * @param generation gives the names of the topics
 * @param telling what it tells of
 * @param isCached whether the ledger's stores hold changes back in a record cache
 * @param isLogged whether the stores have changelogs; without, they end with the process
 * @param isRead whether anybody asks for what the tasks know of all users together
 * @param isLogCopied whether its log holds only what is copied into it yet: then nothing is written there that could change
 *        its state
 * @param tracing follows requests through it
 */
public record Fold(Generation generation, Telling telling, boolean isCached, boolean isLogged, boolean isRead,
        boolean isLogCopied, Tracing tracing) {

    /** One that follows no request. */
    public Fold(Generation generation, Telling telling, boolean isCached, boolean isLogged, boolean isRead) {
        this(generation, telling, isCached, isLogged, isRead, false, Tracing.NONE);
    }

    /** Of the only generation there is. */
    public static Fold only(boolean isCached) {
        return new Fold(Generation.FIRST, Telling.EVERYTHING, isCached, true, true);
    }
}
