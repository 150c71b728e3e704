package dev.laurel.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.UUID;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserResourceIdsTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6, 64, 1000})
    void shouldContainThePartitionOfTheUser(int partitions) {
        for (int i = 0; i < 1000; i++) {
            var user = new UserKey(new TenantId(i % 2 == 0 ? "" : "acme"), new UserId("swimmer-" + i));

            assertEquals(
                    BuiltInPartitioner.partitionForKey(user.bytes(), partitions),
                    UserResourceIds.partitionOf(UserResourceIds.of(user, UUID.randomUUID()), partitions));
        }
    }

    @Test
    void shouldBeARandomUuid() {
        UserKey user = UserKey.of("swimmer-77");
        UUID id = UserResourceIds.of(user, UUID.randomUUID());

        assertEquals(4, id.version());
        assertEquals(2, id.variant());
        assertNotEquals(id, UserResourceIds.of(user, UUID.randomUUID()));
        assertEquals(id, UUID.fromString(id.toString()));
    }

    /** A request may contain any UUID. */
    @Test
    void shouldFindAPartitionForEveryUuid() {
        assertEquals(0, UserResourceIds.partitionOf(new UUID(-1L, -1L), 1));
        assertEquals(Integer.MAX_VALUE % 6, UserResourceIds.partitionOf(new UUID(-1L, -1L), 6));
    }
}
