package dev.laurel.processors.delivery.message;

import dev.laurel.processors.core.sending.Delivery;
import dev.laurel.processors.core.sending.Delivery.Ended;
import dev.laurel.processors.core.sending.Delivery.Ending;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators of messages that did not go out, without saying whose they were: the log of messages of the user does. So many
 * a minute at most, and how many more there were. One thread.
 */
final class EndingLog {

    static final int MAX_LINES = 20;

    private static final Logger LOG = LoggerFactory.getLogger(EndingLog.class);
    private static final long WINDOW_NS = Duration.ofMinutes(1).toNanos();

    private long windowNs;
    private int lines;
    private int left;

    /** @param nowNs of {@link System#nanoTime} */
    EndingLog(long nowNs) {
        this.windowNs = nowNs;
    }

    /** @return whether it was told */
    boolean tell(Delivery delivery, Ended ended, long nowNs) {
        if (ended.how() == Ending.SENT) {
            return false;
        }
        if (nowNs - windowNs >= WINDOW_NS) {
            if (left > 0) {
                LOG.warn("{} more messages have not gone out, or may not have", left);
            }
            windowNs = nowNs;
            lines = 0;
            left = 0;
        }
        if (lines == MAX_LINES) {
            left++;
            return false;
        }
        lines++;
        LOG.warn("message {} ({} by {}) is {}: {}", delivery.id(), delivery.type(), delivery.copy().channel(),
                ended.how(), ended.reason());
        return true;
    }
}
