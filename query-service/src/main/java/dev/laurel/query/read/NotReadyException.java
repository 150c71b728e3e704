package dev.laurel.query.read;

/** The stores asked for cannot be read here now: restoring, behind, moving, or elsewhere. Asking again later helps. */
public final class NotReadyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NotReadyException(String message) {
        super(message);
    }

    public NotReadyException(String message, Throwable cause) {
        super(message, cause);
    }
}
