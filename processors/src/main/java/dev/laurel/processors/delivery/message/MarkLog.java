package dev.laurel.processors.delivery.message;

import dev.laurel.schemas.outbox.SendMark;
import java.util.concurrent.CompletionStage;

/** Where marks are set: {@code laurel.send-marks}. Thread-safe. */
interface MarkLog {

    /**
     * Appends a mark. May block for a while.
     *
     * @param partition that of the task
     * @param key as in {@code laurel.outbox}
     * @return completes when it is stored; if it fails by a {@code RetriableException}, it may be stored or not, and can be
     *         repeated; by anything else, that is a fault
     */
    CompletionStage<?> append(int partition, byte[] key, SendMark mark);
}
