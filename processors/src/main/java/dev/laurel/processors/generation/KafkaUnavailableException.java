package dev.laurel.processors.generation;

/** Kafka has not answered a request, or could not at the moment: a broker is down, or does not know a topic yet. A retry may succeed. */
final class KafkaUnavailableException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    KafkaUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
