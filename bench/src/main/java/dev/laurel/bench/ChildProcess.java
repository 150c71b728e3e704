package dev.laurel.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Laurel in a process of its own, with the class path and the JVM options of this one. Logs go to a file. The process
 * ends with {@link #close} at the latest.
 */
final class ChildProcess implements AutoCloseable {
    /** Admin key of measured instances. */
    static final String ADMIN_KEY = "benching.0123456789abcdef0123456789abcdef";

    private static final String MAIN_CLASS = "dev/laurel/deploy/LaurelMain";
    private static final Pattern URL = Pattern.compile("Laurel is ready at (http\\S+) after");

    /** The last line that a serving process prints when it is ready. */
    private static final Pattern KAFKA = Pattern.compile("Kafka is at (\\S+),");
    private static final Duration END_TIMEOUT = Duration.ofMinutes(2);

    /**
     * Options that a child must not share with its parent: recordings, debuggers, and the cache that the parent
     * writes.
     */
    private static final List<String> OWN_OPTIONS = List.of("-agentlib", "-javaagent", "-XX:StartFlightRecording",
            "-XX:AOTCacheOutput");

    private final Process process;
    private final Path log;
    /** Ends the child if the benchmark is stopped. */
    private final Thread endWithParent;
    private final CompletableFuture<URI> url = new CompletableFuture<>();
    private final CompletableFuture<String> kafka = new CompletableFuture<>();

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        endWithParent = Thread.ofPlatform().unstarted(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(endWithParent);
        // Not virtual: a read from a pipe holds its carrier.
        Thread.ofPlatform().daemon().name("child-" + process.pid()).start(this::follow);
    }

    /**
     * Starts a process on these cores only, by {@code taskset}; the JVM sees no others.
     *
     * @param cores empty for any core
     * @param log file to append its log to
     */
    static ChildProcess start(List<Integer> cores, Path log, List<String> arguments) {
        return start(cores, log, List.of(), arguments);
    }

    /** Works like {@link #start(List, Path, List)}. @param jvmOptions further options, which win over those of this JVM */
    static ChildProcess start(List<Integer> cores, Path log, List<String> jvmOptions, List<String> arguments) {
        var command = new ArrayList<String>();
        if (!cores.isEmpty()) {
            command.addAll(List.of("taskset", "--cpu-list",
                    cores.stream().map(String::valueOf).collect(Collectors.joining(","))));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> OWN_OPTIONS.stream().noneMatch(option::startsWith)).forEach(command::add);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN_CLASS));
        command.addAll(arguments);
        return start(command, log);
    }

    /**
     * Starts another checkout of Laurel as its users do.
     *
     * @param checkout folder that contains {@code deploy/laurel}
     */
    static ChildProcess start(Path checkout, Path log, List<String> arguments) {
        var command = new ArrayList<>(List.of(checkout.resolve("deploy").resolve("laurel").toString()));
        command.addAll(arguments);
        return start(command, log);
    }

    private static ChildProcess start(List<String> command, Path log) {
        try {
            return new ChildProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())).start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command.getFirst(), e);
        }
    }

    private void follow() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Matcher urlLine = URL.matcher(line);
                if (urlLine.find()) {
                    url.complete(URI.create(urlLine.group(1)));
                }
                Matcher kafkaLine = KAFKA.matcher(line);
                if (kafkaLine.find()) {
                    kafka.complete(kafkaLine.group(1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            var ended = new IllegalStateException("the process ended before it was ready, see " + log);
            url.completeExceptionally(ended);
            kafka.completeExceptionally(ended);
        }
    }

    /** Waits until the process reports that it serves; returns this. */
    ChildProcess awaitReady(Duration timeout) {
        try {
            kafka.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return this;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a process started", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A process did not start", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("a process was not ready within " + timeout + ", see " + log, e);
        }
    }

    /** Returns the URL of an HTTP server that is ready. */
    URI url() {
        return url.resultNow();
    }

    /** Returns the address of Kafka once the process is ready. */
    String bootstrapServers() {
        return kafka.resultNow();
    }

    /** @throws IllegalStateException if the process has ended */
    void expectAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("a process has ended with " + process.exitValue() + ", see " + log);
        }
    }

    /** Returns the processor time of all threads so far, in user and kernel mode. */
    double cpuSeconds() {
        return process.info().totalCpuDuration().map(spent -> spent.toNanos() / 1e9)
                .orElseThrow(() -> new IllegalStateException("the system does not report processor times"));
    }

    /** Returns the resident memory in bytes; null: unknown. */
    @Nullable
    Long residentBytes() {
        return ResourceMeter.memory(process.pid(), "VmRSS:");
    }

    /** Sends SIGTERM and waits for the end. */
    void stop() {
        process.destroy();
        awaitEnd();
    }

    /** Sends SIGKILL and waits for the end; nothing is flushed. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("process " + process.pid() + " did not end within " + END_TIMEOUT);
            }
            forget();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a process ended", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
        forget();
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(endWithParent);
        } catch (IllegalStateException _) {
            // The JVM is shutting down; the hook ends the child.
        }
    }
}
