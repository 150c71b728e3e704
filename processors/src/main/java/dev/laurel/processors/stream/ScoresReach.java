package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardMessage;
import dev.laurel.processors.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.store.BoardMessages;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;

/** {@code laurel.scores}, as the tasks of the boards application catch up with it. Thread-safe. */
public final class ScoresReach implements CatchUp.Source, GroupLease.Coordinator, AutoCloseable {

    /** A mark stands before all there is in the log, and so says nothing new; nor does its time. */
    static final Origin MARK_ORIGIN = new Origin(0, -1);
    static final BoardMessage MARK = new ClockMoved(Long.MIN_VALUE);

    private static final byte[] MARK_BYTES = BoardMessages.write(MARK_ORIGIN, MARK);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Appender scores;
    private final Admin admin;
    private final TopicReach reach;

    /** @param generation whose scores they are */
    public ScoresReach(Map<String, Object> clientConfig, Generation generation) {
        this.admin = Admin.create(clientConfig);
        this.scores = new Appender(clientConfig, generation.scores());
        this.reach = new TopicReach(admin, generation.scores(), generation.boardsApplication(),
                partition -> scores.append(partition, null, MARK_BYTES));
    }

    /** Of the topic. */
    public int partitions() {
        return scores.partitions();
    }

    @Override
    public CompletionStage<Reach> reach(int partition) {
        return reach.reach(partition);
    }

    @Override
    public CompletionStage<?> ask() {
        return reach.ask();
    }

    @Override
    public CompletionStage<?> appendMark(int partition) {
        return reach.appendMark(partition);
    }

    @Override
    public void close() {
        scores.close();
        admin.close(CLOSE_TIMEOUT);
    }
}
