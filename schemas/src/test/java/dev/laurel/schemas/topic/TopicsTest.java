package dev.laurel.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.schemas.topic.Topic.Partitioning;
import dev.laurel.schemas.topic.TopicCreation.Sizes;
import java.util.List;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;

class TopicsTest {

    /** Names are durable data: a change here is a new topic beside the old one with everything in it. */
    @Test
    void shouldKeepNamesPartitioningAndRetention() {
        List<String> catalogue = Topics.all().stream().map(t -> "%s %s %s %s %s".formatted(t.name(), t.partitioning(),
                t.config().getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "delete"),
                t.config().getOrDefault(TopicConfig.RETENTION_MS_CONFIG, "-"),
                t.config().getOrDefault(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "-"))).toList();

        assertEquals(List.of("laurel.commands USERS delete -1 CreateTime",
                "laurel.ruleset-edits ONE delete 604800000 LogAppendTime", "laurel.rulesets ONE compact - -",
                "laurel.access ONE compact - -", "laurel.scores BOARDS delete 604800000 LogAppendTime",
                "laurel.board-floors ONE compact - -", "laurel.effects USERS delete 2592000000 LogAppendTime",
                "laurel.replies GATEWAYS delete 3600000 LogAppendTime",
                "laurel.rejections ONE delete 2592000000 LogAppendTime",
                "laurel.outbox USERS delete 604800000 LogAppendTime",
                "laurel.send-marks USERS delete 604800000 LogAppendTime", "laurel.generations ONE compact - -"),
                catalogue);
    }

    @Test
    void shouldCreateEachTopicInItsOwnSize() {
        var sizes = new Sizes(12, 3, 5, (short) 1);

        assertEquals(12, sizes.partitions(Partitioning.USERS));
        assertEquals(3, sizes.partitions(Partitioning.BOARDS));
        assertEquals(5, sizes.partitions(Partitioning.GATEWAYS));
        assertEquals(1, sizes.partitions(Partitioning.ONE));
    }

    @Test
    void shouldRefuseSizesBelowOne() {
        assertThrows(IllegalArgumentException.class, () -> new Sizes(0, 1, 1, (short) 1));
        assertThrows(IllegalArgumentException.class, () -> new Sizes(1, 0, 1, (short) 1));
        assertThrows(IllegalArgumentException.class, () -> new Sizes(1, 1, 0, (short) 1));
        assertThrows(IllegalArgumentException.class, () -> new Sizes(1, 1, 1, (short) 0));
        assertThrows(IllegalArgumentException.class, () -> new Sizes(1, 1, 1, (short) 3, 0));
        assertThrows(IllegalArgumentException.class, () -> new Sizes(1, 1, 1, (short) 3, 4));
    }

    @Test
    void shouldAskForTwoCopiesInSyncWhereOneMayBeAway() {
        assertEquals(1, new Sizes(1, 1, 1, (short) 1).minInSync());
        assertEquals(1, new Sizes(1, 1, 1, (short) 2).minInSync());
        assertEquals(2, new Sizes(1, 1, 1, (short) 3).minInSync());
    }
}
