package dev.laurel.processors.generation;

import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/** The progress of a generation in its log and on its leaderboards. Thread-safe. */
public final class GenerationProgress implements AutoCloseable {

    private final GenerationResources resources;
    private final GroupProgress ledger;
    private final GroupProgress boards;

    /** Null: no log is copied. */
    private final @Nullable GroupProgress copier;

    /**
     * @param copiedFrom the topic that is copied into the log of the generation; null: none is
     * @param timeout of each request to the brokers
     */
    public GenerationProgress(Map<String, Object> clientConfig, Generation generation, @Nullable String copiedFrom,
            Duration timeout) throws InterruptedException {
        this.resources = new GenerationResources(clientConfig, generation, timeout);
        try {
            this.ledger = resources.ledgerProgress();
            this.boards = resources.boardsProgress();
            this.copier = copiedFrom == null ? null : resources.copierProgress(copiedFrom);
        } catch (InterruptedException | RuntimeException e) {
            resources.close();
            throw e;
        }
    }

    /** The progress of the ledger in the log. Its changelogs contain everything up to the committed offsets, and perhaps more. */
    public GroupProgress ledger() {
        return ledger;
    }

    /** The progress of the copier in the log that it copies, if one is copied. */
    public GroupProgress copier() {
        return requireNonNull(copier, "no log is copied");
    }

    /** The progress of the leaderboards in the scores. */
    public GroupProgress boards() {
        return boards;
    }

    /** The offset of the first record of the log that still exists, by partition. */
    public List<Long> beginnings() throws InterruptedException {
        return resources.beginnings();
    }

    /**
     * Waits until everything that is in the log now is copied and processed, and the resulting scores are ranked.
     *
     * @return false if that took too long
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return await(timeout, _ -> {});
    }

    boolean await(Duration timeout, GroupProgress.Observer observer) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        return (copier == null || copier.await(deadlineNs, observer)) && ledger.await(deadlineNs, observer)
                && boards.await(deadlineNs, observer);
    }

    @Override
    public void close() {
        ledger.close();
        boards.close();
        if (copier != null) {
            copier.close();
        }
        resources.close();
    }
}
