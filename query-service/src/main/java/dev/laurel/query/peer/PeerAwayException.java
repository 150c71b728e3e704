package dev.laurel.query.peer;

/** Another node does not answer in time, or cannot say anything of what it is asked for now. Has no stack trace: it is usual. */
public final class PeerAwayException extends Exception {

    private static final long serialVersionUID = 1L;

    PeerAwayException(String message) {
        super(message, null, false, false);
    }
}
