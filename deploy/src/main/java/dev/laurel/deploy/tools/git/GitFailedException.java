package dev.laurel.deploy.tools.git;

/**
 * Git could not be run, refused, or said something unreadable. The message is one line; {@link #detail()} is all git
 * said.
 */
public final class GitFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String detail;

    GitFailedException(String message, String detail) {
        super(message);
        this.detail = detail;
    }

    GitFailedException(String message, Throwable cause) {
        super(message, cause);
        this.detail = message;
    }

    /** Git's own words, several lines at times: what to do about a repository of another owner is in the later ones. */
    public String detail() {
        return detail;
    }
}
