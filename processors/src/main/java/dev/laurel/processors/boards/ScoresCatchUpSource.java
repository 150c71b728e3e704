package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Sent;
import dev.laurel.processors.stream.StartupCatchUp.TopicCatchUpSource;
import dev.laurel.schemas.topic.Generation;
import java.util.Map;

/** The topic {@code laurel.scores}, with which the tasks of the boards application catch up. Thread-safe. */
public final class ScoresCatchUpSource extends TopicCatchUpSource {

    /** The origin and the time of a mark are earlier than any in the log, so a mark changes nothing. */
    static final Origin MARK_ORIGIN = new Origin(0, -1);

    static final LeaderboardMessage MARK = new ClockMoved(Long.MIN_VALUE);

    private static final byte[] MARK_BYTES = LeaderboardCodecs.MESSAGE.encode(new Sent(MARK_ORIGIN, MARK));

    /** @param generation that owns the topic */
    public ScoresCatchUpSource(Map<String, Object> clientConfig, Generation generation) {
        super(clientConfig, generation.scores(), generation.boardsApplication(), MARK_BYTES, () -> null);
    }
}
