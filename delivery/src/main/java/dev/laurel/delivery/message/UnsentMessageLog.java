package dev.laurel.delivery.message;

import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.core.sending.MessageDelivery;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs messages that were not sent, without the names of their users. The number of lines per minute is bounded; further messages
 * are counted. One thread.
 */
final class UnsentMessageLog {

    static final int MAX_LINES = 20;

    private static final Logger LOG = LoggerFactory.getLogger(UnsentMessageLog.class);
    private static final long WINDOW_NS = Duration.ofMinutes(1).toNanos();

    private long windowNs;
    private int lines;
    private int suppressed;

    /** @param nowNs of {@link System#nanoTime} */
    UnsentMessageLog(long nowNs) {
        this.windowNs = nowNs;
    }

    /** @return whether a line was written */
    boolean log(MessageDelivery delivery, Ended ended, long nowNs) {
        if (ended.how() == Ending.SENT) {
            return false;
        }
        if (nowNs - windowNs >= WINDOW_NS) {
            if (suppressed > 0) {
                LOG.warn("{} more messages were not sent, or may not have been sent", suppressed);
            }
            windowNs = nowNs;
            lines = 0;
            suppressed = 0;
        }
        if (lines == MAX_LINES) {
            suppressed++;
            return false;
        }
        lines++;
        LOG.warn("Message {} ({} by {}) is {}: {}", delivery.id(), delivery.type(), delivery.copy().channel(),
                ended.how(), ended.reason());
        return true;
    }
}
