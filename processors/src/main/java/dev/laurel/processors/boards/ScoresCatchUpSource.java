package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.core.leaderboard.BoardMessage.Origin;
import dev.laurel.core.leaderboard.BoardMessage;
import dev.laurel.platform.kafka.Clients;
import dev.laurel.processors.store.boards.BoardCodecs.Sent;
import dev.laurel.processors.store.boards.BoardCodecs;
import dev.laurel.processors.stream.Appender;
import dev.laurel.processors.stream.CatchUp;
import dev.laurel.processors.stream.GroupLease;
import dev.laurel.processors.stream.TopicCatchUpSource;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;

/** The topic {@code laurel.scores}, with which the tasks of the boards application catch up. Thread-safe. */
public final class ScoresCatchUpSource implements CatchUp.Source, GroupLease.Coordinator, AutoCloseable {

    /** The origin and the time of a mark are earlier than any in the log, so a mark changes nothing. */
    static final Origin MARK_ORIGIN = new Origin(0, -1);
    static final BoardMessage MARK = new ClockMoved(Long.MIN_VALUE);

    private static final byte[] MARK_BYTES = BoardCodecs.MESSAGE.encode(new Sent(MARK_ORIGIN, MARK));
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Appender scores;
    private final Admin admin;
    private final TopicCatchUpSource reach;

    /** @param generation that owns the topic */
    public ScoresCatchUpSource(Map<String, Object> clientConfig, Generation generation) {
        this.admin = Clients.admin(clientConfig);
        this.scores = new Appender(clientConfig, generation.scores());
        this.reach = new TopicCatchUpSource(admin, generation.scores(), generation.boardsApplication(),
                partition -> scores.append(partition, null, MARK_BYTES));
    }

    /** The number of partitions of the topic. */
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
