package dev.laurel.processors.generation;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.IsolationLevel;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/** The progress of a generation in its log and on its leaderboards. Thread-safe. */
public final class GenerationProgress implements AutoCloseable {

    private final BrokerAdmin admin;
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
        this.admin = new BrokerAdmin(clientConfig, timeout);
        try {
            this.ledger = new GroupProgress(clientConfig, admin, generation.ledgerApplication(), generation.log(),
                    admin.partitions(generation.log()), IsolationLevel.READ_COMMITTED, timeout);
            // The leaderboards also read what the ledger may still abort.
            this.boards = new GroupProgress(clientConfig, admin, generation.boardsApplication(), generation.scores(),
                    admin.partitions(Topics.SCORES.name()), IsolationLevel.READ_UNCOMMITTED, timeout);
            this.copier = copiedFrom == null
                    ? null
                    : new GroupProgress(clientConfig, admin, generation.copier(), copiedFrom,
                            admin.partitions(copiedFrom), IsolationLevel.READ_COMMITTED, timeout);
        } catch (InterruptedException | RuntimeException e) {
            admin.close();
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
        admin.close();
    }
}
