package dev.laurel.examples.git;

import dev.laurel.platform.command.CommandFailed;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A running git process, started without a shell. One thread reads its output line by line; another thread keeps a
 * limited part of its error output, so that git never blocks on it. {@link #close()} ends the process and may be
 * called from any thread.
 *
 * <p>Runs plumbing commands only, which ignore the user's settings for pagers, diffs, signatures and mail maps.
 */
final class GitProcess implements AutoCloseable {

    private static final int LINE_BYTES_MAX = 1 << 20;
    private static final int STDERR_BYTES_MAX = 4096;

    /** Variables, set by hooks for instance, that would make git use another repository. */
    private static final List<String> OVERRIDES = List.of(
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_COMMON_DIR",
            "GIT_NAMESPACE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_PREFIX",
            "GIT_EXTERNAL_DIFF",
            "GIT_DIFF_OPTS",
            "GIT_TRACE");

    private final Process process;
    private final InputStream output;
    private final CompletableFuture<String> errors = new CompletableFuture<>();

    private GitProcess(Process process) {
        this.process = process;
        this.output = new BufferedInputStream(process.getInputStream());
        // Not virtual: a read from a pipe holds its carrier.
        Thread.ofPlatform().daemon().name("git-stderr").start(this::readErrors);
    }

    static GitProcess start(Path dir, List<String> arguments) {
        var command = new ArrayList<>(List.of("git", "-C", dir.toString()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        var environment = builder.environment();
        OVERRIDES.forEach(environment::remove);
        environment.put("LC_ALL", "C");
        environment.put("GIT_OPTIONAL_LOCKS", "0");
        environment.put("GIT_NO_LAZY_FETCH", "1");
        environment.put("GIT_TERMINAL_PROMPT", "0");
        // A mistyped folder inside another working tree must not select that tree.
        if (dir.getParent() != null) {
            environment.put("GIT_CEILING_DIRECTORIES", dir.getParent().toString());
        }
        try {
            return new GitProcess(builder.start());
        } catch (IOException e) {
            throw new CommandFailed("cannot run git: " + e.getMessage(), e);
        }
    }

    OutputStream input() {
        return process.getOutputStream();
    }

    /**
     * Returns the next line without its end, or empty at the end of the output. Only a line feed ends a line, because
     * an address may contain a carriage return.
     */
    Optional<String> readLine() {
        var line = new ByteArrayOutputStream(160);
        try {
            int read = output.read();
            if (read < 0) {
                return Optional.empty();
            }
            for (; read >= 0 && read != '\n'; read = output.read()) {
                if (line.size() == LINE_BYTES_MAX) {
                    throw new CommandFailed("git printed a line of more than " + LINE_BYTES_MAX + " bytes");
                }
                line.write(read);
            }
            return Optional.of(line.toString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CommandFailed("cannot read from git: " + e.getMessage(), e);
        }
    }

    /** Waits for the process and returns its exit code. The output must have been read. */
    int exitCode() {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while waiting for git", e);
        }
    }

    /**
     * Waits for the process.
     *
     * @throws CommandFailed with git's error output if it failed
     */
    void requireSuccess() {
        int exitCode = exitCode();
        if (exitCode != 0) {
            throw failure(exitCode);
        }
    }

    CommandFailed failure(int exitCode) {
        return new CommandFailed("git failed with exit code " + exitCode + ": "
                + errorOutput().lines().findFirst().orElse("no reason given"));
    }

    @Override
    public void close() {
        process.destroy();
    }

    /** Returns the first part of the error output; waits for its end. */
    String errorOutput() {
        try {
            return errors.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while reading the error output of git", e);
        } catch (ExecutionException e) {
            throw new CommandFailed("cannot read the error output of git", e.getCause());
        }
    }

    private void readErrors() {
        try (var stderr = process.getErrorStream()) {
            byte[] kept = stderr.readNBytes(STDERR_BYTES_MAX);
            stderr.transferTo(OutputStream.nullOutputStream());
            errors.complete(new String(kept, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            errors.completeExceptionally(e);
        }
    }
}
