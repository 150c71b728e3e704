package dev.laurel.platform.kafka;

import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code laurel.access} and serves the current keys, tenants and secrets: application keys, times of use and secrets from
 * disk, the others from memory. A change is visible here a few milliseconds after it was written.
 */
public final class AccessTable extends TopicTable<String, AccessRecord> implements AccessView {

    private final AccessStore records;
    private final AccessIndex index;

    /** Creates a table in a temporary folder, for a process that reads the topic once. */
    public AccessTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this(Topics.ACCESS, clientConfig, TableFolder.openTemporary(Topics.ACCESS.name()), onFault);
    }

    /**
     * @param topic {@link Topics#ACCESS}, or the same under another name
     * @param folder closed by the caller, after this table
     */
    public AccessTable(Topic<String, AccessRecord> topic, Map<String, Object> clientConfig, TableFolder folder,
            Consumer<Throwable> onFault) {
        this(topic, clientConfig, folder.open(topic.name()), onFault);
    }

    private AccessTable(Topic<String, AccessRecord> topic, Map<String, Object> clientConfig, TableStore store,
            Consumer<Throwable> onFault) {
        super(topic, clientConfig, store, onFault);
        this.records = new AccessStore(store);
        this.index = new AccessIndex(records);
    }

    @Override
    void load() {
        records.visitHeldInMemory((key, value) -> index.put(key, read(value)));
    }

    @Override
    protected void put(String key, byte @Nullable [] value, long offset) {
        AccessRecord record = read(value);
        if (!(record instanceof LastUsed use && records.isOutdated(use))) {
            index.put(key, record);
            records.put(key, value);
        }
    }

    @Override
    void written() {
        records.forgetChanged();
    }

    @Override
    public AccessIndex index() {
        return index;
    }
}
