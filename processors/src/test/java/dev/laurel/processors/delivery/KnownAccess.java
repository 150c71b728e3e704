package dev.laurel.processors.delivery;

import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex;
import java.time.Duration;

/** Everything that is in the index is known at once. */
public record KnownAccess(AccessIndex index) implements AccessView {

    @Override
    public boolean awaitNewest(Duration timeout) {
        return true;
    }
}
