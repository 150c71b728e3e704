package dev.laurel.bench;

import dev.laurel.deploy.LaurelMain;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A standalone in a process of its own, whose log goes to a file. The process ends with {@link #close} at the latest. */
final class ChildProcess implements AutoCloseable {
    /** Admin key of measured instances. */
    static final String ADMIN_KEY = "benching.0123456789abcdef0123456789abcdef";

    /** Lines of a start; that of Kafka is the last one. */
    private static final Pattern URL = Pattern.compile("Laurel is ready at (http\\S+) after");

    private static final Pattern KAFKA = Pattern.compile("Kafka is at (\\S+),");
    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration END_TIMEOUT = Duration.ofMinutes(2);

    /** Options that a child must not share with its parent: recordings, debuggers, and the cache that the parent writes. */
    private static final List<String> OWN_OPTIONS =
            List.of("-agentlib", "-javaagent", "-XX:StartFlightRecording", "-XX:AOTCacheOutput");

    private final Process process;
    private final Path log;
    private final CompletableFuture<URI> url = new CompletableFuture<>();
    private final CompletableFuture<String> kafka = new CompletableFuture<>();

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        // Ends the child if the benchmark is stopped.
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroyForcibly));
        // Not virtual: a read from a pipe holds its carrier.
        Thread.ofPlatform().daemon().name("child-" + process.pid()).start(this::follow);
    }

    /**
     * Starts a standalone on free ports; returns when it serves.
     *
     * @param checkout another checkout of Laurel, which is started as its users do, by {@code deploy/laurel}; null: this Laurel, with the
     * class path and the JVM options of this process
     * @param name name of its data directory and its log in {@code folder}
     */
    static ChildProcess standalone(@Nullable Path checkout, Path folder, String name) {
        var command = new ArrayList<String>();
        if (checkout == null) {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(option -> OWN_OPTIONS.stream().noneMatch(option::startsWith))
                    .forEach(command::add);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), LaurelMain.class.getName()));
        } else {
            command.add(checkout.resolve("deploy").resolve("laurel").toString());
        }
        command.addAll(List.of(
                "standalone",
                "--port",
                "0",
                "--broker-port",
                "0",
                "--admin-key",
                ADMIN_KEY,
                "--data-dir",
                folder.resolve(name).toString()));
        Path log = folder.resolve(name + ".log");
        ChildProcess child;
        try {
            child = new ChildProcess(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start(),
                    log);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command.getFirst(), e);
        }
        try {
            child.awaitReady();
            return child;
        } catch (RuntimeException e) {
            child.close();
            throw e;
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
            kafka.completeExceptionally(new IllegalStateException("the process ended before it was ready, see " + log));
        }
    }

    private void awaitReady() {
        try {
            kafka.orTimeout(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("a process was not ready within " + START_TIMEOUT + ", see " + log, e);
        }
    }

    URI url() {
        return url.resultNow();
    }

    String bootstrapServers() {
        return kafka.resultNow();
    }

    long pid() {
        return process.pid();
    }

    /** @throws IllegalStateException if the process has ended */
    void expectAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("a process has ended with " + process.exitValue() + ", see " + log);
        }
    }

    /** Returns the processor time of all threads so far, in user and kernel mode. */
    double cpuSeconds() {
        return process.info()
                .totalCpuDuration()
                .map(spent -> spent.toNanos() / 1e9)
                .orElseThrow(() -> new IllegalStateException("the system does not report processor times"));
    }

    /** Sends SIGTERM and waits for the end. */
    void stop() {
        process.destroy();
        awaitEnd();
    }

    /** Sends SIGKILL and waits for the end; nothing is flushed. */
    @Override
    public void close() {
        process.destroyForcibly();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("process " + process.pid() + " did not end within " + END_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a process ended", e);
        }
    }
}
