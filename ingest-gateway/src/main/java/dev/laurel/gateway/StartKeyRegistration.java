package dev.laurel.gateway;

import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.RequestResult;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.ErrorBody;
import java.time.Duration;

/** Registers the admin key that a process is started with as an admin key of the instance. */
final class StartKeyRegistration {

    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration ACCESS_TIMEOUT = Duration.ofSeconds(5);

    private final RequestReplyClient client;
    private final AccessView access;

    StartKeyRegistration(RequestReplyClient client, AccessView access) {
        this.client = client;
        this.access = access;
    }

    /**
     * Waits until this gateway knows the key. A key that was registered before keeps its present state.
     *
     * @return false if it is not known in time
     * @throws IllegalStateException if it is refused, with the reason
     */
    boolean register(ApiKey key, Duration timeout) throws InterruptedException {
        AccessIndex index = access.index();
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        var edit = new AccessEdit.RegisterStartKey(key.prefix(), key.hash());
        while (!index.isKnownStartKey(key.hash())) {
            if (System.nanoTime() > deadlineNs) {
                return false;
            }
            if (client.ask(edit) instanceof RequestResult.Replied(int status, byte[] body, var _)) {
                if (status >= 300) {
                    throw new IllegalStateException(
                            "the admin key is refused: " + Json.read(body, ErrorBody.class).error());
                }
                access.awaitNewest(ACCESS_TIMEOUT);
            } else {
                Thread.sleep(PAUSE); // the log or its writer has not started yet
            }
        }
        return true;
    }
}
