package dev.laurel.processors.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.runtime.StateMeters.StoreOfPartition;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class RestoreProgressTest {

    private static final TopicPartition USERS = new TopicPartition("users-changelog", 0);
    private static final TopicPartition DAYS = new TopicPartition("days-changelog", 0);

    private final RestoreProgress restores = new RestoreProgress();

    @Test
    void shouldCountTheRecordsOfTheStoreFurthestBehind() {
        assertEquals(0, restores.left());

        restores.onRestoreStart(USERS, "users", 100, 900);
        restores.onRestoreStart(DAYS, "days", 0, 300);
        assertEquals(800, restores.left());

        restores.onBatchRestored(USERS, "users", 699, 550); // 50 offsets are marks of transactions
        assertEquals(300, restores.left());
        assertEquals(550, restores.restored());

        restores.onRestoreEnd(DAYS, "days", 300);
        assertEquals(200, restores.left());
    }

    @Test
    void shouldForgetSuspendedRestorations() {
        restores.onRestoreStart(USERS, "users", 0, 50);

        restores.onRestoreSuspended(USERS, "users", 10);

        assertEquals(0, restores.left());
    }

    @Test
    void shouldListWhatEachStoreLacks() {
        restores.onRestoreStart(USERS, "users", 1_000, 5_000);
        restores.onRestoreStart(DAYS, "days", 0, 10);
        restores.onBatchRestored(USERS, "users", 1_999, 900);
        restores.onBatchRestored(DAYS, "days", 9, 8);

        assertEquals(
                Map.of(new StoreOfPartition("users", 0), 3_000L, new StoreOfPartition("days", 0), 0L),
                restores.remaining());
        assertEquals(908, restores.restored());
        assertTrue(restores.oldestS() > 0);
    }

    @Test
    void shouldListNoCompletedOrSuspendedRestorations() {
        restores.onRestoreStart(USERS, "users", 0, 5);
        restores.onRestoreStart(DAYS, "days", 0, 5);
        restores.onRestoreEnd(USERS, "users", 5);
        restores.onRestoreSuspended(DAYS, "days", 3);

        assertEquals(Map.of(), restores.remaining());
        assertEquals(0, restores.oldestS());
    }
}
