package dev.laurel.schemas.input;

/**
 * Thrown by readers of foreign input, with a {@link Refusal}. The HTTP server, the reader of the log and the command line catch it
 * and report it in their own forms. It is never a fault of the program, so it has no stack trace.
 */
public final class BadInputException extends Exception {

    private final Refusal refusal;

    public BadInputException(Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    public static BadInputException invalid(String message) {
        return new BadInputException(Refusal.invalid(message));
    }

    public static BadInputException invalid(String field, String problem) {
        return invalid(field + " " + problem + ".");
    }

    public static BadInputException unreadable(String message) {
        return new BadInputException(Refusal.unreadable(message));
    }

    public Refusal refusal() {
        return refusal;
    }
}
