package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.GracefulStop;
import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;

/**
 * Runs an import as a command: with a progress bar on a terminal, a clean end if the process is asked to stop, and a
 * summary. Messages go to {@code err}.
 *
 * @param progress null: the import cannot be continued
 * @param rejects file for refused lines; null: they are only counted
 * @param bar name, unit and length of the progress bar in units of the source; length 0 if unknown
 * @param clock clock of the instance
 */
public record ImportJob(
        @Nullable Path progress, @Nullable Path rejects, Bar bar, InstantSource clock, PrintWriter err) {

    public record Bar(String name, String unit, long unitSize, long length) {}

    /** Creates an import. */
    private interface Start {
        ImportWork with(ImportWork.Context context) throws IOException;
    }

    /**
     * Imports into a log.
     *
     * @param isWholeLogRead whether a new import looks for its own entries in the whole log, which finds those of an import of the
     *        same id without its progress file; otherwise from its end
     */
    public ImportWork.Result run(CommandLog log, ImportSource source, long newImportId, boolean isWholeLogRead) {
        try (CommandLogWriter writer = new CommandLogWriter(log)) {
            return run(source, context -> new LogImport(log, writer, context, clock, newImportId, isWholeLogRead));
        }
    }

    /** Imports through a server. */
    ImportWork.Result run(BatchClient server, ImportSource source, long newImportId) {
        return run(source, context -> new BatchImport(server, context, newImportId, ImportWork.TIMEOUT));
    }

    private ImportWork.Result run(ImportSource source, Start start) {
        try (ProgressFile progressFile = ProgressFile.open(progress);
                ImportWork.RefusedEntries refusals = ImportWork.RefusedEntries.to(err, rejects);
                ProgressBar shown = progressBar()) {
            LongConsumer onProgress = shown == null ? _ -> {} : shown::stepTo;
            ImportWork work = start.with(new ImportWork.Context(source, progressFile, refusals, onProgress));
            try (var _ = new GracefulStop(work::stop)) {
                return work.run();
            }
        } catch (ImportWork.Stopped e) {
            throw stopped(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CommandFailed("cannot read the input, or write refused lines: " + e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw stopped("interrupted");
        }
    }

    /** Reports an incomplete import, with the way to continue. */
    public CommandFailed stopped(String reason) {
        return new CommandFailed(reason
                + (progress == null
                        ? "; without --progress this import cannot be continued: what it has stored would count twice"
                        : "; run the same command again to continue"));
    }

    /** Releases the timers that a killed import still holds. */
    void release(CommandLog log) {
        try (ProgressFile file = ProgressFile.open(progress);
                var writer = new CommandLogWriter(log)) {
            ProgressFile.Progress saved = file.read();
            if (saved == null || !saved.target().equals(log.id())) {
                throw new CommandFailed(progress + " has no import into this log");
            }
            writer.release(CommandLog.ImportMark.holdName(saved.importId()), clock.millis());
        }
    }

    private @Nullable ProgressBar progressBar() {
        return ProgressReporter.isOnTerminal()
                ? ProgressReporter.bar(bar.name(), bar.length() == 0 ? -1 : bar.length(), bar.unit(), bar.unitSize())
                : null;
    }

    public static String describe(ImportWork.Result result) {
        Duration elapsed = result.elapsed();
        return String.format(
                Locale.ROOT,
                "%s %,d commands in %.1f s (%,d/s)%s, %,d refused",
                result.complete() ? "imported" : "stopped after importing",
                result.written(),
                elapsed.toMillis() / 1000.0,
                elapsed.isZero() ? 0 : Math.round(result.written() * 1e9 / elapsed.toNanos()),
                result.found() == 0 ? "" : String.format(Locale.ROOT, ", %,d already written", result.found()),
                result.refused());
    }
}
