package dev.laurel.deploy.cli;

import dev.laurel.platform.command.CommandFailed;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that works on an instance from outside, with what all of these share. */
public abstract class ToolCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    protected final ConnectionOptions connection = new ConnectionOptions();

    /** Returns the exit code. */
    protected abstract int work() throws InterruptedException;

    @Override
    public final Integer call() {
        try {
            int exitCode = work();
            out().flush();
            return exitCode;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted", e);
        }
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    protected static void write(Path file, String text) {
        CommandFailed.attempt("cannot write " + file, () -> Files.writeString(file, text));
    }

    /** @throws ParameterException with this message if the command line is used in a wrong way */
    protected final void expect(boolean isRight, String message) {
        if (!isRight) {
            throw misuse(message, null);
        }
    }

    /** Returns the value of an option; what refuses it with an {@link IllegalArgumentException} ends the command. */
    protected final <T> T valid(String prefix, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw misuse(prefix + e.getMessage(), e);
        }
    }

    protected final ParameterException misuse(String message, @Nullable Exception cause) {
        return new ParameterException(spec.commandLine(), message, cause);
    }
}
