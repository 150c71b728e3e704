package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** One of the two states that are compared. It stands still while it is read. */
interface State {

    /** A store of the ledger by the partition of the log. */
    ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition);

    /** Of {@link #store}, where what it has of this user lies. */
    default ReadOnlyKeyValueStore<Bytes, byte[]> storeOf(String name, int partition, byte[] user) {
        return store(name, partition);
    }

    /** All entries, in the order of keys. The caller closes it. */
    default KeyValueIterator<Bytes, byte[]> all(String name, int partition) {
        return store(name, partition).all();
    }

    /** About how many entries there are. */
    default long count(String name, int partition) {
        return store(name, partition).approximateNumEntries();
    }

    /** Empty if nobody takes part. */
    Ranking ranking(BoardGroup group);

    /** The rules that the tenant's users are shown by. */
    CompiledRuleset newest(TenantId tenant);

    /** Null if there is no such version. */
    CompiledRuleset version(TenantId tenant, long version);
}
