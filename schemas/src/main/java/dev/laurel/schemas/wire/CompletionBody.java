package dev.laurel.schemas.wire;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The answer to {@code POST /achievements/{key}/complete}. While the result is not there yet ({@link #pending}), the
 * completion's id and the achievement are null.
 *
 * @param points the systems that the completion changed, by key
 */
public record CompletionBody(UUID completionId, AchievementBody achievement, Map<String, EventPointsBody> points,
        Optional<Boolean> pending) {

    /** The request is in the log, its result is not known within the waiting time. */
    public static CompletionBody ofPending() {
        return new CompletionBody(null, null, Map.of(), Optional.of(true));
    }
}
