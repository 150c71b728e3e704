package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.ConnectionOptions;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.key.TenantId;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "import",
        description = {
            "Write commands to the log, one JSON object per line.",
            "",
            "  {\"time\":\"2026-03-04T09:15:00Z\",\"type\":\"event\",\"metric\":\"laps-swum\","
                    + "\"value\":4,\"user\":{\"id\":\"swimmer-77\"}}",
            "",
            "Order is kept per user. A line that is not such a command is refused and reported with its number; the"
                    + " import continues and ends with exit code 1. Run it again after a crash, or after the file has"
                    + " grown: it continues after what is in the log already, and no line counts twice. Timers are held"
                    + " while it runs. With --url on the command line, lines go through the HTTP API of that server"
                    + " instead of Kafka: events only, timers are not held, and a line counts once for as long as the"
                    + " server remembers idempotency keys."
        })
public final class ImportCommand extends ToolCommand {
    private static final String STDIN = "-";

    @Parameters(paramLabel = "FILE", description = "The lines; '-' reads standard input.")
    private String file;

    @Option(
            names = "--progress",
            paramLabel = "FILE",
            description =
                    "File for the progress (default: the input's name and '.laurel-progress'; none for standard input,"
                            + " whose import cannot be continued). Remove it to import everything again.")
    private @Nullable Path progress;

    @Option(
            names = "--rejects",
            paramLabel = "FILE",
            description = "Add all refused lines to this file, with reasons, as JSON lines.")
    private @Nullable Path rejects;

    @Option(
            names = "--release",
            fallbackValue = "true",
            description = "Import nothing, but release the timers that a killed import of FILE still holds.")
    private boolean release;

    @Option(
            names = "--tenant",
            paramLabel = "ID",
            description = "The tenant (customerId) of the users; required if the instance has tenants.")
    private @Nullable String tenant;

    @Override
    protected int work() {
        // Only the option counts: LAUREL_URL is set for other commands too.
        boolean isThroughServer = connection.isOnCommandLine(ConnectionOptions.URL);
        expect(
                !isThroughServer || !release && !connection.isOnCommandLine(ConnectionOptions.KAFKA),
                "--url cannot be combined with --kafka or --release");
        ImportJob run = job();
        if (release) {
            release(run);
        } else {
            report(
                    run,
                    CommandFailed.attempt(
                            "cannot close " + file, () -> isThroughServer ? throughServer(run) : intoLog(run)));
        }
        return 0;
    }

    private ImportWork.Result intoLog(ImportJob run) throws IOException {
        CommandLog log = CommandLog.find(connection.kafka());
        try (var source = new LineSource(open(), connection.clock(), log.tenant(tenant))) {
            return run.run(log, source, new SecureRandom().nextLong(), false);
        }
    }

    private ImportWork.Result throughServer(ImportJob run) throws IOException {
        try (var server = new BatchClient(connection.calls(), tenant);
                // The server assigns events to the tenant of the request.
                var source = new LineSource(open(), connection.clock(), TenantId.NONE)) {
            return run.run(server, source, new SecureRandom().nextLong());
        }
    }

    private ImportJob job() {
        Path saved = progress != null || file.equals(STDIN) ? progress : Path.of(file + ".laurel-progress");
        long length = file.equals(STDIN) ? 0 : Path.of(file).toFile().length();
        var bar = new ImportJob.Bar("import", " MiB", 1024 * 1024, length);
        return new ImportJob(saved, rejects, bar, connection.clock(), err());
    }

    private InputStream open() {
        if (file.equals(STDIN)) {
            return new FilterInputStream(System.in) {
                @Override
                public void close() {
                    // Standard input is not ours.
                }
            };
        }
        Path path = Path.of(file);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new CommandFailed("cannot read " + file);
        }
        return CommandFailed.attempt("cannot read " + file, () -> new FileInputStream(path.toFile()));
    }

    private void release(ImportJob run) {
        expect(!file.equals(STDIN) || progress != null, "--release of standard input needs --progress");
        run.release(CommandLog.find(connection.kafka()));
        out().println("released the timers that the import of " + file + " held");
    }

    private void report(ImportJob run, ImportWork.Result result) {
        boolean isUnchanged = result.written() + result.found() + result.refused() == 0;
        out().println(
                        result.complete() && isUnchanged
                                ? "nothing new in " + file + " since its last import"
                                : ImportJob.describe(result));
        out().flush();
        if (!result.complete()) {
            throw run.stopped("stopped");
        }
        if (result.refused() > 0) {
            throw new CommandFailed(result.refused() + " lines were refused, all others are imported");
        }
    }
}
