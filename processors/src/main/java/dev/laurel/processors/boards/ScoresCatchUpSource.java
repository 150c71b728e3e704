package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Sent;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.stream.Appender;
import dev.laurel.processors.stream.StartupCatchUp.TopicCatchUpSource;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** The topic {@code laurel.scores}, with which the tasks of the boards application catch up. Thread-safe. */
public final class ScoresCatchUpSource extends TopicCatchUpSource implements AutoCloseable {

    /** The origin and the time of a mark are earlier than any in the log, so a mark changes nothing. */
    static final Origin MARK_ORIGIN = new Origin(0, -1);
    static final LeaderboardMessage MARK = new ClockMoved(Long.MIN_VALUE);

    private static final byte[] MARK_BYTES = LeaderboardCodecs.MESSAGE.encode(new Sent(MARK_ORIGIN, MARK));
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Appender scores;
    private final Admin admin;

    /** @param generation that owns the topic */
    public ScoresCatchUpSource(Map<String, Object> clientConfig, Generation generation) {
        this(generation, KafkaClients.admin(clientConfig), new Appender(clientConfig, generation.scores()));
    }

    private ScoresCatchUpSource(Generation generation, Admin admin, Appender scores) {
        super(admin, generation.scores(), generation.boardsApplication(),
                partition -> scores.append(partition, null, MARK_BYTES));
        this.admin = admin;
        this.scores = scores;
    }

    /** The number of partitions of the topic. */
    public int partitions() {
        return scores.partitions();
    }

    @Override
    public void close() {
        scores.close();
        admin.close(CLOSE_TIMEOUT);
    }
}
