package dev.laurel.deploy;

/**
 * A command could not do what was asked, for a reason the operator should read: exit code 1, the message as one line on
 * stderr. Thrown by commands for failures they expect; anything else that escapes a command is shown as a fault.
 */
public class CommandFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandFailed(String reason) {
        super(reason);
    }

    public CommandFailed(String reason, Throwable cause) {
        super(reason, cause);
    }
}
