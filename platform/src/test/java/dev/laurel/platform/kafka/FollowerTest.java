package dev.laurel.platform.kafka;

import dev.laurel.platform.kafka.Follower.Position.Place;
import dev.laurel.platform.kafka.Follower.Position;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Tests where a follower continues. */
class FollowerTest {

    private static final Uuid TOPIC = Uuid.randomUuid();
    private static final long NOW = 1_000_000_000_000L;
    private static final TopicPartition ZERO = new TopicPartition("log", 0);
    private static final TopicPartition ONE = new TopicPartition("log", 1);
    private static final Position READ = at(90, 40);

    private static Position at(long zero, long one) {
        return new Position(1, NOW, Map.of(ZERO, new Place(TOPIC, zero), ONE, new Place(TOPIC, one)));
    }

    private static @Nullable String problem(Position beginning, long zero, long one, long nowMs) {
        return READ.problem(beginning, Map.of(ZERO, zero, ONE, one), nowMs);
    }

    @Test
    void shouldContinueWithinTheTimeThatDeletionsStay() {
        long soon = NOW + Follower.MAX_GAP.toMillis();

        assertNull(problem(at(0, 0), 90, 40, soon));
        assertNull(problem(at(90, 40), 100, 40, soon));
    }

    @Test
    void shouldBeginAnewIfDeletionsMayBeMissing() {
        long late = NOW + Follower.MAX_GAP.plus(Duration.ofMillis(1)).toMillis();
        String problem = "there may no longer be all deletions since 2001-09-09T01:46:40Z";

        assertEquals(problem, problem(at(0, 0), 91, 40, late));
        assertEquals(problem, problem(at(0, 0), 90, 41, late));
        assertEquals(problem, problem(at(0, 0), 91, 40, NOW - Duration.ofDays(1).toMillis()),
                "the clock was wrong then or is now");
        assertNull(problem(at(0, 0), 90, 40, late), "nothing was written since");
    }

    @Test
    void shouldBeginAnewOnAnotherTopic() {
        assertEquals("log-1 is of another topic of this name",
                problem(new Position(1, NOW,
                        Map.of(ZERO, new Place(TOPIC, 0), ONE, new Place(Uuid.randomUuid(), 0))), 90, 40, NOW));
        assertEquals("log-0 ends at offset 89, before offset 90", problem(at(0, 0), 89, 40, NOW));
        assertEquals("log-0 begins at offset 91, after offset 90", problem(at(91, 0), 95, 40, NOW));
        assertEquals("it is of other topics or partitions",
                problem(new Position(1, NOW, Map.of(ZERO, new Place(TOPIC, 0))), 90, 40, NOW));
        assertEquals("it has the format of another version",
                problem(new Position(2, NOW, at(0, 0).places()), 90, 40, NOW));
    }

    @Test
    void shouldBeKeptInEntries() {
        var kept = new HashMap<ByteBuffer, byte[]>();
        assertNull(Position.read("log", key -> kept.get(ByteBuffer.wrap(key))));
        for (Position next : List.of(at(90, 40), at(90, 41))) {
            Position known = Position.read("log", key -> kept.get(ByteBuffer.wrap(key)));
            next.entries(known == null ? Position.NOTHING : known)
                    .forEach((key, value) -> kept.put(ByteBuffer.wrap(key), value));
            assertEquals(next, Position.read("log", key -> kept.get(ByteBuffer.wrap(key))));
        }
        assertEquals(2, at(90, 42).entries(at(90, 41)).size(), "what differs, and the time");
    }
}
