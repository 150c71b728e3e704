package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.cli.ReplicationOptions;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.platform.command.CommandFailed;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Restores a backup to a cluster without an instance. */
@Command(name = "restore", description = "Restore a backup to a Kafka cluster without an instance, each record of the log at its offset. An interrupted run is continued.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class TopicsRestoreCommand extends ToolCommand {
    @Parameters(paramLabel = "DIR", description = "Folder of the backup.")
    private Path dir;

    @Option(names = "--check", fallbackValue = "true", description = "Only read the whole backup and check that it is complete. Needs no Kafka.")
    private boolean checkOnly;

    @Option(names = "--forget-erased", fallbackValue = "true", description = "Leave out records of users who were erased later.")
    private boolean forgetErased;

    @Option(names = "--leave-out", paramLabel = "RECORD", description = "Leave out this record, such as laurel.commands-3@1234; may be given more than once.")
    private List<String> leaveOut = List.of();

    @Mixin
    private final ReplicationOptions copies = new ReplicationOptions();

    @Override
    protected int work() throws InterruptedException {
        PrintWriter out = out();
        try (var progress = new ProgressReporter(err())) {
            var run = new TopicsRestore(BackupFolder.at(dir), progress, leftOut());
            long startedNs = System.nanoTime();
            out.printf(Locale.ROOT, "The backup of %s is complete: %,d records.%n", run.manifest().taken(),
                    run.check());
            out.flush();
            if (checkOnly) {
                return 0;
            }
            int generation = run.run(connection.kafka(), copies);
            out.printf(Locale.ROOT, "%,d records written in %.1f s.%n", run.written(),
                    (System.nanoTime() - startedNs) / 1e9);
            if (run.leftOut() > 0) {
                out.printf(Locale.ROOT, "%,d records were replaced by blank ones.%n", run.leftOut());
            }
            out.printf("Generation %d is in force: start nodes and gateways, they fold the log.%n", generation);
            return 0;
        } catch (IllegalStateException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }

    private RecordFilter leftOut() {
        try {
            return new RecordFilter(forgetErased, leaveOut);
        } catch (IllegalArgumentException e) {
            throw misuse(String.valueOf(e.getMessage()), e);
        }
    }
}
