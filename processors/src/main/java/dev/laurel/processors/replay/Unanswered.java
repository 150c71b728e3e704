package dev.laurel.processors.replay;

/** Kafka has not answered a question, or could not at that moment: a broker is away, or does not know a topic yet. It may later. */
public final class Unanswered extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    Unanswered(String message, Throwable cause) {
        super(message, cause);
    }
}
