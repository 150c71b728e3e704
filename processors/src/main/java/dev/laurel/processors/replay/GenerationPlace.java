package dev.laurel.processors.replay;

import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.IsolationLevel;

/** How far a generation has come, in its log and on its leaderboards. Thread-safe. */
public final class GenerationPlace implements AutoCloseable {

    private final GenerationTopics topics;
    private final GroupPlace ledger;
    private final GroupPlace boards;

    /** @param patience with a broker that does not answer */
    public GenerationPlace(Map<String, Object> clientConfig, Generation generation, Duration patience)
            throws InterruptedException {
        this.topics = new GenerationTopics(clientConfig, generation, patience);
        try {
            this.ledger = topics.ledgerPlace();
            this.boards = topics.boardsPlace();
        } catch (InterruptedException | RuntimeException e) {
            topics.close();
            throw e;
        }
    }

    /** The ledger in the log. What stands before what it has committed is in its changelogs, and perhaps more. */
    public GroupPlace ledger() {
        return ledger;
    }

    /** The leaderboards in the scores. */
    public GroupPlace boards() {
        return boards;
    }

    /** The offset of the first record of the log that is still there, by partition. */
    public List<Long> beginnings() throws InterruptedException {
        return topics.beginnings();
    }

    /**
     * Waits until everything is folded that is in the log when this is called, and ranked what came of it.
     *
     * @return false if that took too long
     */
    public boolean await(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        return ledger.await(deadlineNs, _ -> {}) && boards.await(deadlineNs, _ -> {});
    }

    @Override
    public void close() {
        ledger.close();
        boards.close();
        topics.close();
    }
}
