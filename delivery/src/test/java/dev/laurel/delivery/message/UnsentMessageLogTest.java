package dev.laurel.delivery.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.delivery.message.MessageDispatcher.UnsentMessageLog;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UnsentMessageLogTest {

    private static final long START_NS = -5;

    private final UnsentMessageLog log = new UnsentMessageLog(START_NS);

    private boolean tell(Ending how, Duration later) {
        var ended = new Ended(how, how == Ending.SENT ? null : "why", 1);
        var delivery = new MessageDelivery(
                new UUID(1, 2),
                UserKey.of("ann"),
                Instant.EPOCH,
                1,
                NotificationType.RECAP,
                new MessageCopy(NotificationChannel.EMAIL, new UUID(3, 4), 0),
                null,
                1,
                ended,
                List.of());
        return log.log(delivery, ended, START_NS + later.toNanos());
    }

    @Test
    void shouldLogAllMessagesThatWereNotCertainlySent() {
        assertFalse(tell(Ending.SENT, Duration.ZERO));
        assertTrue(tell(Ending.REFUSED, Duration.ZERO));
        assertTrue(tell(Ending.DOUBTFUL, Duration.ZERO));
        assertTrue(tell(Ending.GIVEN_UP, Duration.ZERO));
    }

    @Test
    void shouldLimitTheLinesPerMinute() {
        int told = 0;
        for (int i = 0; i < 100; i++) {
            told += tell(Ending.REFUSED, Duration.ofMillis(i)) ? 1 : 0;
        }
        assertEquals(UnsentMessageLog.MAX_LINES, told);
        assertFalse(tell(Ending.REFUSED, Duration.ofSeconds(59)));
        assertTrue(tell(Ending.REFUSED, Duration.ofSeconds(60)));
    }
}
