package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.laurel.deploy.MarkdownFile;
import dev.laurel.deploy.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the README and the quick tour unchanged: one after the other in one shell, in a folder with
 * the program and its examples, against the standalone that the first command of the README starts. Only its ports
 * differ. A command that fails, and an HTTP status of 400 and above, fail the test.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ShownCommandsIT {

    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> DOCUMENTS = List.of("README.md", "docs/quick-tour.md");
    private static final String STANDALONE = "deploy/laurel standalone --ruleset deploy/examples/swimming.yaml";
    private static final String SHOWN_ADDRESS = "http://127.0.0.1:8080";

    /** Commands that are not run, by a part of their text, with the reason. */
    private static final Map<String, String> NOT_RUN = Map.of(
            STANDALONE,
            "it runs already",
            "mvn verify",
            "this test is part of it",
            "kcat",
            "not everybody has it; LogStoriesIT writes the same records",
            "demo-data",
            "it needs another repository; ImportGitIT imports one",
            "git -C ../kafka",
            "it needs that repository",
            "/ID/",
            "it names an id from an answer before; WebhookStoriesIT does the same",
            "laurel replay --from-scratch",
            "it takes as long as the README's replay; ReplayIT runs it",
            "laurel replay --ruleset thirty.yaml     # who would have what instead? also",
            "the README's replay");

    @TempDir
    private static Path folder;

    @AutoClose
    private static LaurelProcess standalone;

    /** The exit code and the output of a shell. */
    private record Run(int exitCode, String output) {}

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        for (String tool : List.of("sh", "curl", "sed")) {
            assumeTrue(isInstalled(tool), () -> "ShownCommandsIT is SKIPPED: " + tool + " is not on the path");
        }
        Files.createDirectories(folder.resolve("deploy/examples"));
        Files.copy(PROJECT.resolve("deploy/examples/swimming.yaml"), folder.resolve("deploy/examples/swimming.yaml"));
        String program = Program.command("512m", List.of()).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        Files.writeString(folder.resolve("deploy/laurel"), "#!/bin/sh\nexec " + program + " \"$@\"\n");
        Files.setPosixFilePermissions(folder.resolve("deploy/laurel"), PosixFilePermissions.fromString("rwxr-xr-x"));
        assertTrue(
                commands(DOCUMENTS.getFirst()).getFirst().startsWith(STANDALONE),
                "the first command starts a standalone");
        ProcessBuilder first = shell("exec " + commands(DOCUMENTS.getFirst()).getFirst());
        first.environment().putAll(Map.of("LAUREL_PORT", "0", "LAUREL_BROKER_PORT", "0"));
        standalone = LaurelProcess.launch(first.redirectError(ProcessBuilder.Redirect.INHERIT))
                .awaitReady();
    }

    private static boolean isInstalled(String tool) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(tool, tool.equals("sh") ? "-c" : "--version", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void shouldRunTheCommandsOfTheReadmeAndTheQuickTour() throws IOException, InterruptedException {
        List<String> commands = DOCUMENTS.stream()
                .flatMap(document -> commands(document).stream())
                .filter(command -> NOT_RUN.keySet().stream().noneMatch(command::contains))
                .toList();
        assertTrue(commands.size() >= 25, () -> "found only " + commands);

        Run run = run(commands);

        assertEquals(0, run.exitCode(), run.output());
    }

    @Test
    void shouldSkipOnlyCommandsThatAreShown() {
        List<String> shown = DOCUMENTS.stream()
                .flatMap(document -> commands(document).stream())
                .toList();

        assertEquals(
                List.of(),
                NOT_RUN.keySet().stream()
                        .filter(part -> shown.stream().noneMatch(command -> command.contains(part)))
                        .toList());
    }

    @Test
    void shouldFailOnAFailingCommand() throws IOException, InterruptedException {
        Run refused = run(List.of("curl -s " + SHOWN_ADDRESS + "/v1/users/nobody", "echo unreached"));
        Run misused = run(List.of("deploy/laurel no-such-command", "echo unreached"));

        assertTrue(refused.exitCode() != 0, refused.output());
        assertTrue(misused.exitCode() != 0, misused.output());
    }

    /** Runs commands in one shell, which ends at the first failure. */
    private static Run run(List<String> commands) throws IOException, InterruptedException {
        var script = new StringBuilder("set -eux\ncurl() { command curl --fail \"$@\"; }\n");
        commands.forEach(command -> script.append(command.replace(
                        SHOWN_ADDRESS, standalone.url().toString().replaceFirst("/$", "")))
                .append('\n'));
        Path log = Files.createTempFile(folder, "commands", ".log");
        ProcessBuilder shell =
                shell(script.toString()).redirectErrorStream(true).redirectOutput(log.toFile());
        shell.environment().put("LAUREL_URL", standalone.url().toString());
        int exitCode = shell.start().waitFor();
        return new Run(exitCode, Files.readString(log));
    }

    private static ProcessBuilder shell(String script) {
        var builder = new ProcessBuilder("sh", "-c", script).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("LAUREL_"));
        return builder;
    }

    /**
     * Returns the commands in the shell blocks of a document. A command continues in the next line inside quotes
     * and after a backslash or a pipe.
     */
    private static List<String> commands(String document) {
        var commands = new ArrayList<String>();
        for (MarkdownFile.Block block :
                MarkdownFile.read(PROJECT.resolve(document)).blocks("sh")) {
            var command = new StringBuilder();
            for (String line : block.lines()) {
                command.append(command.isEmpty() ? "" : "\n").append(line);
                if (isComplete(command)) {
                    if (!command.toString().isBlank()) {
                        commands.add(command.toString());
                    }
                    command.setLength(0);
                }
            }
        }
        return commands;
    }

    private static boolean isComplete(CharSequence command) {
        char quote = 0;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (quote == 0 ? c == '\'' || c == '"' : c == quote) {
                quote = quote == 0 ? c : 0;
            }
        }
        String text = command.toString().stripTrailing();
        return quote == 0 && !text.endsWith("\\") && !text.endsWith("|");
    }
}
