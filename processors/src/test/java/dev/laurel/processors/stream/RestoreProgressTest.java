package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.store.StoreOfPartition;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RestoreProgressTest {

    private static final TopicPartition USERS_2 = new TopicPartition("laurel-ledger-users-changelog", 2);
    private static final TopicPartition TIMERS_2 = new TopicPartition("laurel-ledger-timers-changelog", 2);

    private final RestoreProgress progress = new RestoreProgress();

    @Test
    void shouldTellWhatEachStoreStillLacks() {
        progress.onRestoreStart(USERS_2, "users", 1_000, 5_000);
        progress.onRestoreStart(TIMERS_2, "timers", 0, 10);
        progress.onBatchRestored(USERS_2, "users", 1_999, 900);
        progress.onBatchRestored(TIMERS_2, "timers", 9, 8);

        assertEquals(Map.of(new StoreOfPartition("users", 2), 3_000L, new StoreOfPartition("timers", 2), 0L),
                progress.remaining());
        assertEquals(908, progress.restored());
        assertTrue(progress.oldestS() > 0);
    }

    @Test
    void shouldForgetWhatIsRestoredOrGivenUp() {
        progress.onRestoreStart(USERS_2, "users", 0, 5);
        progress.onRestoreStart(TIMERS_2, "timers", 0, 5);
        progress.onRestoreEnd(USERS_2, "users", 5);
        progress.onRestoreSuspended(TIMERS_2, "timers", 3);

        assertEquals(Map.of(), progress.remaining());
        assertEquals(0, progress.oldestS());
    }
}
