package dev.laurel.gateway;

import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessView;
import java.time.Duration;

/** Who may call, put there by hand. */
public final class FixedAccess implements AccessView {

    /** Whether what was written arrives here. */
    public volatile boolean isFollowed = true;

    private final AccessBook book = new AccessBook();

    @Override
    public AccessBook book() {
        return book;
    }

    @Override
    public boolean awaitNewest(Duration timeout) {
        return isFollowed;
    }
}
