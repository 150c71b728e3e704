package dev.laurel.processors.store;

/** A stored value cannot be read: it is damaged, or written by a newer Laurel than this one. A fault, never skipped. */
public final class StoredFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StoredFormatException(String message) {
        super(message);
    }

    StoredFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
