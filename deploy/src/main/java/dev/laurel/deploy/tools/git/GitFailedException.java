package dev.laurel.deploy.tools.git;

import dev.laurel.deploy.cli.CommandFailed;
import org.jspecify.annotations.Nullable;

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

    GitFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.detail = message;
    }

    /** Returns the error output of git. Its later lines may explain what to do. */
    String detail() {
        return detail;
    }
}
