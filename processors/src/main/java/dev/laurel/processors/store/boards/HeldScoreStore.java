package dev.laurel.processors.store.boards;

import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.users.UserCodecs;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The held scores of a partition of the log at its last commit, in rows of the partition's state. Most commits write nothing, since
 * nothing is held. One task, one thread.
 */
public final class HeldScoreStore {

    /** A row stays far below the largest record of a changelog. */
    private static final int ROW_SCORES = 100;

    static final Codec<List<HeldScore>> SCORES = Codec.ofList("row of held scores", 3, HeldScore.class);

    private final KeyValueStore<Bytes, byte[]> store;

    /** The rows of scores in the store. */
    private int rows;

    /** The stored position; -1 if there is none. */
    private long position;

    /** @param store the state of the partition */
    public HeldScoreStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
        this.position = UserCodecs.COUNT.get(store, StoreKeys.heldScores(0), -1L);
    }

    /** The last command before the commit; -1 if nothing was held. */
    public long position() {
        return position;
    }

    /** Reads the stored scores, in the order in which they were written. Called once. */
    public List<HeldScore> read() {
        var scores = new ArrayList<HeldScore>();
        List<HeldScore> row;
        while ((row = SCORES.get(store, StoreKeys.heldScores(rows + 1))) != null) {
            scores.addAll(row);
            rows++;
        }
        return scores;
    }

    /** Stores the offset of the last command before the commit, if any scores are stored. */
    public void moveTo(long offset) {
        long next = rows == 0 ? -1 : offset;
        if (next != position) {
            position = next;
            store.put(StoreKeys.heldScores(0), next == -1 ? null : UserCodecs.COUNT.encode(next));
        }
    }

    /** Replaces the stored scores. */
    public void write(List<HeldScore> scores) {
        int written = 0;
        for (int from = 0; from < scores.size(); from += ROW_SCORES) {
            List<HeldScore> row = scores.subList(from, Math.min(scores.size(), from + ROW_SCORES));
            SCORES.put(store, StoreKeys.heldScores(++written), row);
        }
        for (int row = written + 1; row <= rows; row++) {
            store.delete(StoreKeys.heldScores(row));
        }
        rows = written;
    }
}
