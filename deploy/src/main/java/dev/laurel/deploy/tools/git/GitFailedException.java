package dev.laurel.deploy.tools.git;

import dev.laurel.deploy.cli.CommandFailed;

/**
 * Reports that git could not be run, failed, or printed something unexpected. The message is one line; {@link
 * #detail()} is the full output.
 */
final class GitFailedException extends CommandFailed {

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

    /**
     * Returns the error output of git. Its later lines may explain what to do, for instance about a repository of
     * another owner.
     */
    public String detail() {
        return detail;
    }
}
