package dev.laurel.processors.delivery;

import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessView;
import java.time.Duration;

/** Everything that is in the book is known at once. */
public record KnownAccess(AccessBook book) implements AccessView {

    @Override
    public boolean awaitNewest(Duration timeout) {
        return true;
    }
}
