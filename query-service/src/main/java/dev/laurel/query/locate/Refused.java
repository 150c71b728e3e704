package dev.laurel.query.locate;

import dev.laurel.schemas.input.Refusal;

/** Thrown by reads: the user or the requested object is unknown, or a parameter is not valid. Has no stack trace, as it is no fault. */
public final class Refused extends RuntimeException {

    private final Refusal refusal;

    public Refused(Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    public static Refused because(String message) {
        return new Refused(Refusal.invalid(message));
    }

    public Refusal refusal() {
        return refusal;
    }
}
