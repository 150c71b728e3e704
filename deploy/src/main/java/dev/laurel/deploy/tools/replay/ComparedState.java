package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.stream.RulesetVersions;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** One of the two states of a comparison. It does not change while it is read. */
interface ComparedState {

    /**
     * Returns a store of the ledger.
     *
     * @param partition partition of the log
     */
    ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition);

    /** Returns the {@link #store} with the entries of this user. */
    default ReadOnlyKeyValueStore<Bytes, byte[]> storeOf(String name, int partition, byte[] user) {
        return store(name, partition);
    }

    /** Returns all entries in key order; the caller closes the iterator. */
    default KeyValueIterator<Bytes, byte[]> all(String name, int partition) {
        return store(name, partition).all();
    }

    /** Returns the approximate number of entries. */
    default long count(String name, int partition) {
        return store(name, partition).approximateNumEntries();
    }

    /** Returns an empty ranking if the group has no users. */
    Ranking ranking(BoardGroup group);

    /** Returns the rules of all versions; users are shown by the newest one of their tenant. */
    RulesetVersions rulesets();

    /** The state that results from reading the log again, while reading continues. Used by one thread. */
    interface Replayed extends ComparedState {

        /**
         * Waits until all records before these offsets are folded and have reached the leaderboards, then pauses at
         * these offsets or later.
         *
         * @param atLeast offset by partition of the log
         * @return offset of the next record by partition
         */
        List<Long> pauseAfter(List<Long> atLeast, ProgressReporter progress) throws InterruptedException;

        /** Continues to follow the log. */
        void resume();
    }
}
