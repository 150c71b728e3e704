package dev.laurel.processors.delivery.message;

import dev.laurel.schemas.key.UserKey;
import java.util.List;

/** Takes device tokens that are gone for good away from their user. Thread-safe; may block for a while. */
public interface DeadTokens {

    /** If that gets lost, the next message to the token says it again. @param tokens one at least */
    void drop(UserKey user, List<String> tokens);
}
