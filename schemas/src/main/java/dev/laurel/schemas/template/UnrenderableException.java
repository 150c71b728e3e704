package dev.laurel.schemas.template;

/** No text comes of a template. The message says why, to the operator. Has no stack trace: it is an answer, not a fault. */
public final class UnrenderableException extends Exception {

    private static final long serialVersionUID = 1L;

    UnrenderableException(String message) {
        super(message, null, false, false);
    }
}
