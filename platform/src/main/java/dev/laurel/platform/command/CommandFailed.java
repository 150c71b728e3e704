package dev.laurel.platform.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a command could not do what was asked, for a reason that the operator should read: exit code 1, and
 * the message as one line on stderr. Commands throw it for failures that they expect; any other exception is shown as
 * a fault.
 */
public class CommandFailed extends RuntimeException {

    public CommandFailed(String reason) {
        super(reason);
    }

    public CommandFailed(@Nullable String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }

    /** What a command tries, with a result. */
    public interface Attempt<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /** What a command tries, without a result. */
    public interface Step {
        void run() throws IOException;
    }

    /**
     * Tries something that fails if a file cannot be used or a value is not allowed.
     *
     * @param problem the beginning of the message: what cannot be done, or which option is wrong
     * @throws CommandFailed if it fails; the reason follows the problem
     */
    public static <T extends @Nullable Object> T attempt(String problem, Attempt<T> attempt) {
        try {
            return attempt.run();
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            throw new CommandFailed(problem + ": " + (e instanceof FileSystemException ? e : e.getMessage()), e);
        }
    }

    /** The same without a result. */
    public static void attempt(String problem, Step step) {
        attempt(problem, () -> {
            step.run();
            return true;
        });
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
