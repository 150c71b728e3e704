package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.deploy.tools.replay.ReplayProgress;
import dev.laurel.deploy.tools.topics.CopiesOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Brings a backup to a cluster without an instance. */
@Command(name = "restore", description = "Write a backup to a Kafka without an instance, each record of the log at its offset. A run that was broken off is gone on with.")
public final class TopicsRestoreCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Where the backup is.")
    private Path dir;

    @Option(names = "--check", fallbackValue = "true", description = "Only read all of the backup, and say whether it is whole. Needs no Kafka.")
    private boolean checkOnly;

    @Option(names = "--forget-erased", fallbackValue = "true", description = "Leave out what users said who were erased later.")
    private boolean forgetErased;

    @Option(names = "--leave-out", paramLabel = "PLACE", description = "Leave out this record, such as laurel.commands-3@1234; may be given more than once.")
    private List<String> leaveOut = List.of();

    @Mixin
    private CopiesOptions copies;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        try (var progress = new ReplayProgress(spec.commandLine().getErr())) {
            var run = new RestoreRun(BackupFolder.at(dir), progress, leftOut());
            long startedNs = System.nanoTime();
            out.printf(Locale.ROOT, "The backup of %s is whole: %,d records.%n", run.manifest().taken(), run.check());
            out.flush();
            if (checkOnly) {
                return;
            }
            int generation = run.run(kafka.access(dataDir.path()), copies);
            out.printf(Locale.ROOT, "%,d records written in %.1f s.%n", run.written(),
                    (System.nanoTime() - startedNs) / 1e9);
            if (run.leftOut() > 0) {
                out.printf(Locale.ROOT, "%,d records were left out; their places are blank.%n", run.leftOut());
            }
            out.printf("Generation %d is in force: start nodes and gateways, they fold the log.%n", generation);
            out.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted; run the same command again to go on", e);
        } catch (IllegalStateException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }

    private LeftOut leftOut() {
        try {
            return new LeftOut(forgetErased, leaveOut);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
