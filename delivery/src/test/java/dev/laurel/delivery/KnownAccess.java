package dev.laurel.delivery;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import java.time.Duration;

/** A view of access that contains every entry of the index at once. */
public record KnownAccess(AccessIndex index) implements AccessView {

    @Override
    public boolean awaitNewest(Duration timeout) {
        return true;
    }
}
