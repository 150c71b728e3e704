package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.cli.ConnectionOptions;
import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.platform.command.CommandFailed;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies the topics that cannot be computed from others to a folder. */
@Command(name = "backup", description = "Copy the log, rulesets, access and generations to a folder while the instance runs. If the folder has a backup, only records since then are copied.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class TopicsBackupCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Folder of the backup; created if it does not exist.")
    private Path dir;

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    @Override
    public void run() {
        long startedNs = System.nanoTime();
        PrintWriter out = spec.commandLine().getOut();
        try (var source = new SourceCluster(connection.kafka());
                var folder = BackupFolder.open(dir);
                var progress = new ProgressReporter(spec.commandLine().getErr())) {
            var run = new BackupRun(source, folder, progress);
            Manifest manifest = run.run();
            out.printf(Locale.ROOT, "%,d records copied in %.1f s; %s has everything up to %s.%n", run.records(),
                    (System.nanoTime() - startedNs) / 1e9, dir, manifest.taken());
            out.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted; run the same command again to continue", e);
        }
    }
}
