package dev.laurel.query.analytics;

import dev.laurel.schemas.input.Refusal;

/** Thrown by checks of a question. */
final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    Refused(Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    static Refused because(String message) {
        return new Refused(Refusal.invalid(message));
    }

    Refusal refusal() {
        return refusal;
    }
}
