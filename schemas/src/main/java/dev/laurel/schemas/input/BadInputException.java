package dev.laurel.schemas.input;

/**
 * Thrown by readers of foreign input on the way to the {@link Refusal} it carries. Every edge (HTTP, log, command line)
 * catches it and turns it into its own form of refusal; it never means a fault of ours and has no stack trace.
 */
public final class BadInputException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    public BadInputException(Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    public static BadInputException invalid(String field, String problem) {
        return new BadInputException(Refusal.invalid(field + " " + problem + "."));
    }

    public Refusal refusal() {
        return refusal;
    }
}
