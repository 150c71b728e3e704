package dev.laurel.processors.generation;

import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if Kafka has not answered a request, or cannot answer it now: a broker is down, or does not know a topic yet. A retry may succeed.
 */
public final class KafkaUnavailableException extends IllegalStateException {

    KafkaUnavailableException(String message) {
        super(message);
    }

    KafkaUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** @param what begins the message, which ends with that of the cause */
    static KafkaUnavailableException of(String what, ExecutionException failure) {
        Throwable cause = failure.getCause();
        return new KafkaUnavailableException(what + ": " + (cause == null ? failure : cause).getMessage(), cause);
    }
}
