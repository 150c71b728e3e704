package dev.laurel.gateway;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.admin.AccessEdit;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.ErrorBody;
import java.time.Duration;

/** Makes the admin key that a process is started with known to the instance, like any other admin key. */
final class StartKeys {

    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration NEWS_TIMEOUT = Duration.ofSeconds(5);

    private final Exchange exchange;
    private final AccessView access;

    StartKeys(Exchange exchange, AccessView access) {
        this.exchange = exchange;
        this.access = access;
    }

    /**
     * Waits until the key is known here. One that has been known before stays what it has become.
     *
     * @return false if it is not known in time
     * @throws IllegalStateException if it is refused, with the reason
     */
    boolean register(ApiKey key, Duration timeout) throws InterruptedException {
        AccessBook book = access.book();
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        var edit = new AccessEdit.RegisterStartKey(key.prefix(), key.hash());
        while (!book.isKnownStartKey(key.hash())) {
            if (System.nanoTime() > deadlineNs) {
                return false;
            }
            if (exchange.ask(edit) instanceof Answer.Replied(int status, byte[] body, var _)) {
                if (status >= 300) {
                    throw new IllegalStateException(
                            "the admin key is refused: " + Json.read(body, ErrorBody.class).error());
                }
                access.awaitNewest(NEWS_TIMEOUT);
            } else {
                Thread.sleep(PAUSE); // the log or its writer is not there yet
            }
        }
        return true;
    }
}
