package dev.laurel.platform.kafka;

import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.topic.Topics;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code laurel.access} and serves the current keys and tenants. A change is visible here a few milliseconds
 * after it was written.
 */
public final class AccessTable extends TopicTable<String, AccessRecord> implements AccessView {

    private final AccessIndex index = new AccessIndex();

    public AccessTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        super(Topics.ACCESS, clientConfig, onFault);
    }

    @Override
    protected void put(String key, byte @Nullable [] value, long offset) {
        index.put(key, read(value));
    }

    @Override
    public AccessIndex index() {
        return index;
    }
}
