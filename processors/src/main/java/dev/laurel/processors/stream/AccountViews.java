package dev.laurel.processors.stream;

import dev.laurel.processors.core.account.AccountIndex;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What this process knows of all users of each partition, for reads beside the tasks that keep it up to date. Thread-safe. */
public final class AccountViews {

    private final Map<Integer, AccountIndex> partitions = new ConcurrentHashMap<>();

    /** Complete; null while it is being made, and where the partition is not here. @param partition of the log */
    public AccountIndex find(int partition) {
        return partitions.get(partition);
    }

    void show(int partition, AccountIndex index) {
        partitions.put(partition, index);
    }

    void drop(int partition) {
        partitions.remove(partition);
    }
}
