package dev.laurel.platform.command;

import org.jspecify.annotations.Nullable;

/**
 * Reports that a command could not do what was asked, for a reason that the operator should read: exit code 1, and
 * the message as one line on stderr. Commands throw it for failures that they expect; any other exception is shown as
 * a fault.
 */
public class CommandFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandFailed(String reason) {
        super(reason);
    }

    public CommandFailed(@Nullable String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }

    /**
     * Checks the value of an option.
     *
     * @throws CommandFailed if it is not in the range
     */
    public static void expectRange(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new CommandFailed(option + " must be " + min + " to " + max + ", is " + value);
        }
    }
}
