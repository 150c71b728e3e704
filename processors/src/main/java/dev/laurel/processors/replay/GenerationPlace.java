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

    /** Null where no log is copied. */
    private final GroupPlace copier;

    /** @param patience with a broker that does not answer */
    public GenerationPlace(Map<String, Object> clientConfig, Generation generation, Duration patience)
            throws InterruptedException {
        this(clientConfig, generation, null, patience);
    }

    /** @param copiedFrom the topic that is copied into its log; null: none is */
    public GenerationPlace(Map<String, Object> clientConfig, Generation generation, String copiedFrom,
            Duration patience) throws InterruptedException {
        this.topics = new GenerationTopics(clientConfig, generation, patience);
        try {
            this.ledger = topics.ledgerPlace();
            this.boards = topics.boardsPlace();
            this.copier = copiedFrom == null ? null : topics.copierPlace(copiedFrom);
        } catch (InterruptedException | RuntimeException e) {
            topics.close();
            throw e;
        }
    }

    /** The ledger in the log. What stands before what it has committed is in its changelogs, and perhaps more. */
    public GroupPlace ledger() {
        return ledger;
    }

    /** What copies a log into its own, in that log; null where none is copied. */
    public GroupPlace copier() {
        return copier;
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
     * Waits until everything is copied and folded that is in the log when this is called, and ranked what came of it.
     *
     * @return false if that took too long
     */
    public boolean await(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        return (copier == null || copier.await(deadlineNs, _ -> {})) && ledger.await(deadlineNs, _ -> {})
                && boards.await(deadlineNs, _ -> {});
    }

    @Override
    public void close() {
        ledger.close();
        boards.close();
        if (copier != null) {
            copier.close();
        }
        topics.close();
    }
}
