package dev.laurel.processors.topology;

import dev.laurel.processors.stream.Telling;
import dev.laurel.schemas.topic.Generation;

/**
 * Which fold of the log an application makes, and how.
 *
 * @param generation gives the names of the topics
 * @param telling what it tells of
 * @param isCached whether the ledger's stores hold changes back in a record cache
 * @param isLogged whether the stores have changelogs; without, they end with the process
 * @param isRead whether anybody asks for what the tasks know of all users together
 */
public record Fold(Generation generation, Telling telling, boolean isCached, boolean isLogged, boolean isRead) {

    /** Of the only generation there is. */
    public static Fold only(boolean isCached) {
        return new Fold(Generation.FIRST, Telling.EVERYTHING, isCached, true, true);
    }
}
