package dev.laurel.deploy.tools.replay;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.processors.stream.RulesetVersions;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** One of the two states of a comparison. It does not change while it is read. */
interface ComparedState {

    /**
     * Returns a store of the ledger.
     *
     * @param partition partition of the log
     */
    ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition);

    /** Whether a user in the stores of a partition belongs to it. */
    default boolean has(byte[] user, int partition) {
        return true;
    }

    /** Returns the approximate number of entries. */
    default long count(String name, int partition) {
        return store(name, partition).approximateNumEntries();
    }

    /** Returns an empty ranking if the group has no users. */
    Ranking ranking(LeaderboardRules rules, LeaderboardGroup group);

    /** Returns the rules of all versions; users are shown by the newest one of their tenant. */
    RulesetVersions rulesets();

    /**
     * An entry of at least one of two states.
     *
     * @param live null: missing
     * @param replayed null: missing
     */
    record Pair(Bytes key, byte @Nullable [] live, byte @Nullable [] replayed) {}

    /** Visits each key of a store of both states once, in key order; in the store of users, those that belong to the partition. */
    static void forEachPair(
            ComparedState live, ComparedState replayed, String store, int partition, Consumer<Pair> visitor) {
        try (KeyValueIterator<Bytes, byte[]> left = live.store(store, partition).all();
                KeyValueIterator<Bytes, byte[]> right =
                        replayed.store(store, partition).all()) {
            KeyValue<Bytes, byte[]> one = next(left, live, partition);
            KeyValue<Bytes, byte[]> two = next(right, replayed, partition);
            while (one != null || two != null) {
                int order = one == null ? 1 : two == null ? -1 : one.key.compareTo(two.key);
                KeyValue<Bytes, byte[]> inLive = order <= 0 ? one : null;
                KeyValue<Bytes, byte[]> inReplayed = order >= 0 ? two : null;
                visitor.accept(new Pair(
                        requireNonNull(inLive == null ? inReplayed : inLive).key,
                        inLive == null ? null : inLive.value,
                        inReplayed == null ? null : inReplayed.value));
                one = inLive == null ? one : next(left, live, partition);
                two = inReplayed == null ? two : next(right, replayed, partition);
            }
        }
    }

    private static @Nullable KeyValue<Bytes, byte[]> next(
            KeyValueIterator<Bytes, byte[]> entries, ComparedState state, int partition) {
        while (entries.hasNext()) {
            KeyValue<Bytes, byte[]> entry = entries.next();
            if (state.has(entry.key.get(), partition)) {
                return entry;
            }
        }
        return null;
    }
}
