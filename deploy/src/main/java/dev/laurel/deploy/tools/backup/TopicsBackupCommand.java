package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.cli.ToolCommand;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Copies the topics that cannot be computed from others to a folder. */
@Command(name = "backup", description = "Copy the log, rulesets, access and generations to a folder while the instance runs. If the folder has a backup, only records since then are copied.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class TopicsBackupCommand extends ToolCommand {
    @Parameters(paramLabel = "DIR", description = "Folder of the backup; created if it does not exist.")
    private Path dir;

    @Override
    protected int work() throws InterruptedException {
        long startedNs = System.nanoTime();
        try (var source = new SourceCluster(connection.kafka());
                var folder = BackupFolder.open(dir);
                var progress = new ProgressReporter(err())) {
            var run = new TopicsBackup(source, folder, progress);
            Manifest manifest = run.run();
            out().printf(Locale.ROOT, "%,d records copied in %.1f s; %s has everything up to %s.%n", run.records(),
                    (System.nanoTime() - startedNs) / 1e9, dir, manifest.taken());
        }
        return 0;
    }
}
