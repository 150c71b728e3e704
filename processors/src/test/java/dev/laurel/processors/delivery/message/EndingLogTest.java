package dev.laurel.processors.delivery.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.core.sending.Delivery;
import dev.laurel.processors.core.sending.Delivery.Ended;
import dev.laurel.processors.core.sending.Delivery.Ending;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.MessageCopy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EndingLogTest {

    private static final long START_NS = -5;

    private final EndingLog log = new EndingLog(START_NS);

    private boolean tell(Ending how, Duration later) {
        var ended = new Ended(how, how == Ending.SENT ? null : "why", 1);
        var delivery = new Delivery(new UUID(1, 2), UserKey.of("ann"), Instant.EPOCH, 1, NotificationType.RECAP,
                new MessageCopy(NotificationChannel.EMAIL, new UUID(3, 4), 0), null, 1, ended, List.of());
        return log.tell(delivery, ended, START_NS + later.toNanos());
    }

    @Test
    void shouldTellOfAllThatDidNotGoOutForCertain() {
        assertFalse(tell(Ending.SENT, Duration.ZERO));
        assertTrue(tell(Ending.REFUSED, Duration.ZERO));
        assertTrue(tell(Ending.DOUBTFUL, Duration.ZERO));
        assertTrue(tell(Ending.GIVEN_UP, Duration.ZERO));
    }

    @Test
    void shouldNotFillTheLog() {
        int told = 0;
        for (int i = 0; i < 100; i++) {
            told += tell(Ending.REFUSED, Duration.ofMillis(i)) ? 1 : 0;
        }
        assertEquals(EndingLog.MAX_LINES, told);
        assertFalse(tell(Ending.REFUSED, Duration.ofSeconds(59)));
        assertTrue(tell(Ending.REFUSED, Duration.ofSeconds(60)));
    }
}
