package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code laurel replay} in a process of its own that can be ended at any moment. */
final class ReplayProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Process process;
    private final Path log;

    /** Returns at once. @param folder for its log, and to work in */
    ReplayProcess(Path folder, String kafka, String... options) throws IOException {
        Files.createDirectories(folder);
        this.log = Files.createTempFile(folder, "replay-", ".log");
        var arguments = new ArrayList<>(List.of(
                "replay",
                "--kafka",
                kafka,
                "--state-dir",
                folder.resolve("work").toString()));
        arguments.addAll(List.of(options));
        this.process = LaurelProcess.start(log, arguments.toArray(String[]::new));
    }

    /** Waits until the replay has ended. @return its standard output */
    String expect(int exitCode) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "the replay does not end");
        assertEquals(exitCode, process.exitValue(), () -> out + said());
        return out;
    }

    /** Returns its standard error up to now. */
    String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read what the replay has said", e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGTERM, which has the effect of Ctrl-C. */
    void stop() {
        process.toHandle().destroy(); // Process.destroy would close its output streams, too
    }

    /** Sends SIGKILL and returns when the process has ended. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "the replay does not end");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
