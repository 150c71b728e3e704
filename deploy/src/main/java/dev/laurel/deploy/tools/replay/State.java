package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** One of the two states that are compared. It stands still while it is read. */
interface State {

    /** A store of the ledger by the partition of the log. */
    ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition);

    /** Empty if nobody takes part. */
    Ranking ranking(BoardGroup group);

    /** The rules that the tenant's users are shown by. */
    CompiledRuleset newest(TenantId tenant);

    /** Null if there is no such version. */
    CompiledRuleset version(TenantId tenant, long version);
}
