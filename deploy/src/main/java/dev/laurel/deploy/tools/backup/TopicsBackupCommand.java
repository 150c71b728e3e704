package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.deploy.tools.replay.ReplayProgress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies what cannot be computed again to a folder. */
@Command(name = "backup", description = "Copy the log, rulesets, access and generations to a folder while the instance runs. In a folder that has a backup, only what has come since.")
public final class TopicsBackupCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Where the backup is, or is to be.")
    private Path dir;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        long startedNs = System.nanoTime();
        PrintWriter out = spec.commandLine().getOut();
        try (var source = new Source(kafka.access(dataDir.path()));
                var folder = BackupFolder.open(dir);
                var progress = new ReplayProgress(spec.commandLine().getErr())) {
            var run = new BackupRun(source, folder, progress);
            Manifest manifest = run.run();
            out.printf(Locale.ROOT, "%,d records copied in %.1f s; %s has everything up to %s.%n", run.records(),
                    (System.nanoTime() - startedNs) / 1e9, dir, manifest.taken());
            out.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted; run the same command again to go on", e);
        }
    }
}
