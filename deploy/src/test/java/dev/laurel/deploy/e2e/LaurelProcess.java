package dev.laurel.deploy.e2e;

import dev.laurel.deploy.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The program in a process of its own, see {@link Program}. Its log goes to this process's stderr. */
final class LaurelProcess implements AutoCloseable {

    static final String ADMIN_KEY = "e2etests.0123456789abcdef0123456789abcdef";

    private static final long START_TIMEOUT_S = 300;
    private static final long END_TIMEOUT_S = 60;
    private static final Pattern READY = Pattern.compile("Laurel is ready at (http\\S+) after");
    private static final Pattern KAFKA = Pattern.compile("Kafka is at (\\S+),");

    private final Process process;
    private final CompletableFuture<URI> url = new CompletableFuture<>();
    private final CompletableFuture<String> kafka = new CompletableFuture<>();

    private LaurelProcess(Process process) {
        this.process = process;
        // Not virtual: a read from a pipe holds its carrier.
        Thread.ofPlatform().daemon().name("laurel-" + process.pid() + "-out").start(this::follow);
    }

    /** @return once it serves */
    static LaurelProcess standalone(Path dataDir) throws IOException {
        return standalone(dataDir, null);
    }

    /** @param kafka null: its own broker */
    static LaurelProcess standalone(Path dataDir, String kafka) throws IOException {
        return kafka == null ? serving(dataDir, List.of()) : serving(dataDir, List.of("--kafka", kafka));
    }

    /** Starts a standalone with virtual time and its own broker. */
    static LaurelProcess withTestClock(Path dataDir) throws IOException {
        return serving(dataDir, List.of("--test-clock"));
    }

    /** Launches a command that serves until it is stopped, without waiting for it. */
    static LaurelProcess launch(String... arguments) throws IOException {
        return new LaurelProcess(start(arguments));
    }

    /** Likewise, with a prepared command. */
    static LaurelProcess launch(ProcessBuilder command) throws IOException {
        return new LaurelProcess(command.start());
    }

    /** Likewise; appends the log of the process to a file. */
    static LaurelProcess launch(Path log, List<String> arguments) throws IOException {
        return new LaurelProcess(command(arguments.toArray(String[]::new))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    }

    /** Waits until it serves. @return itself */
    LaurelProcess awaitReady() {
        try {
            kafka.get(START_TIMEOUT_S, TimeUnit.SECONDS); // the last line that a serving process prints
            return this;
        } catch (Exception e) {
            kill();
            throw new IllegalStateException("the program did not get ready: " + e, e);
        }
    }

    private static LaurelProcess serving(Path dataDir, List<String> options) throws IOException {
        var arguments = new ArrayList<>(List.of(
                "standalone",
                "--port",
                "0",
                "--broker-port",
                "0",
                "--partitions",
                Integer.toString(LaurelInstance.PARTITIONS),
                "--data-dir",
                dataDir.toString(),
                "--admin-key",
                ADMIN_KEY));
        arguments.addAll(options);
        return new LaurelProcess(start(arguments.toArray(String[]::new))).awaitReady();
    }

    /** @param role standalone, gateway, node or delivery; @param log gets what the process logs; @param options all of them */
    static LaurelProcess logging(String role, Path log, List<String> options) throws IOException {
        var arguments = new ArrayList<>(List.of(role, "--host", "127.0.0.1"));
        if (!options.contains("--port")) {
            arguments.addAll(List.of("--port", "0"));
        }
        arguments.addAll(options);
        return new LaurelProcess(start(log, arguments.toArray(String[]::new))).awaitReady();
    }

    /** Launches any command of the program; the caller reads its stdout. */
    static Process start(String... arguments) throws IOException {
        return command(arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** Likewise; writes the log of the process to a file. */
    static Process start(Path log, String... arguments) throws IOException {
        return command(arguments).redirectError(log.toFile()).start();
    }

    private static ProcessBuilder command(String... arguments) {
        return new ProcessBuilder(Program.command("768m", List.of(arguments)));
    }

    private void follow() {
        try (InputStream out = process.getInputStream();
                var lines = new Scanner(out)) {
            while (lines.hasNextLine()) {
                String line = lines.nextLine();
                complete(READY.matcher(line), url, URI::create);
                complete(KAFKA.matcher(line), kafka, text -> text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            var ended = new IllegalStateException("the program ended before it was ready");
            url.completeExceptionally(ended);
            kafka.completeExceptionally(ended);
        }
    }

    private static <T> void complete(Matcher matcher, CompletableFuture<T> future, Function<String, T> read) {
        if (matcher.find()) {
            future.complete(read.apply(matcher.group(1)));
        }
    }

    URI url() {
        return url.join();
    }

    LaurelClient client() {
        return new LaurelClient(url.join().toString(), ADMIN_KEY);
    }

    String bootstrapServers() {
        return kafka.join();
    }

    /** Sends SIGKILL and returns when the process has ended; nothing is flushed. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Sends SIGSTOP: the process is suspended without any notification. */
    void pause() {
        signal("STOP");
    }

    /** Sends SIGCONT: the process continues as if no time had passed. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int exitCode = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exitCode != 0) {
                throw new IllegalStateException("kill -" + name + " " + process.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending a signal", e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until the process ends by itself. @return false if it still runs then */
    boolean hasEndedWithin(Duration timeout) throws InterruptedException {
        return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns the exit code of an ended process. */
    int exitCode() {
        return process.exitValue();
    }

    /** SIGTERM. @return the exit code */
    int stop() {
        process.destroy();
        awaitEnd();
        return process.exitValue();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a process ended", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
