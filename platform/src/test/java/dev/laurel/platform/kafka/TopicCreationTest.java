package dev.laurel.platform.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.platform.kafka.TopicCreation.Sizes;
import dev.laurel.schemas.topic.Topic.Partitioning;
import org.junit.jupiter.api.Test;

class TopicCreationTest {

    @Test
    void shouldDeterminePartitionsFromSizes() {
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
    void shouldRequireTwoInSyncReplicasIfThereAreThree() {
        assertEquals(1, new Sizes(1, 1, 1, (short) 1).minInSync());
        assertEquals(1, new Sizes(1, 1, 1, (short) 2).minInSync());
        assertEquals(2, new Sizes(1, 1, 1, (short) 3).minInSync());
    }
}
