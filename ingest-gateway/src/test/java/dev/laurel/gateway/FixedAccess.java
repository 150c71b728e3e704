package dev.laurel.gateway;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.InMemoryAccessStore;
import java.time.Duration;

/** Keys and tenants that a test sets. */
public final class FixedAccess implements AccessView {

    /** Whether written records arrive. */
    public volatile boolean isFollowed = true;

    private final AccessIndex index = InMemoryAccessStore.index();

    @Override
    public AccessIndex index() {
        return index;
    }

    @Override
    public boolean awaitNewest(Duration timeout) {
        return isFollowed;
    }
}
