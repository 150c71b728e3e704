package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.GracefulStop;
import dev.laurel.deploy.cli.ProgressReporter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;

/**
 * Runs an import as a command: with a progress bar on a terminal, a clean end if the process is asked to stop, and a
 * summary. Messages go to {@code err}.
 */
final class ImportRun {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * @param progress file for the progress; null for none
     * @param rejects file for refused lines; null for none
     * @param bar name, unit and length of the progress bar in positions of the source; length 0 if unknown
     */
    record Plan(Path progress, Path rejects, Bar bar) {}

    record Bar(String name, String unit, long unitSize, long length) {}

    private final Plan plan;
    private final PrintWriter err;

    ImportRun(Plan plan, PrintWriter err) {
        this.plan = plan;
        this.err = err;
    }

    /** An import, used by one thread. */
    interface Work {

        Result run() throws IOException, InterruptedException;

        /** Ends {@link #run} soon and cleanly; may be called from any thread. */
        void stop();
    }

    /** Creates an import. */
    interface Start {

        /** @param progress null for an import that cannot be continued */
        Work with(ProgressFile progress, RefusedEntries refusals, LongConsumer onProgress);
    }

    /** Imports into a log. */
    Result run(CommandLog log, ImportSource source, LogImport.Settings settings) {
        try (CommandLogWriter writer = new CommandLogWriter(log)) {
            return run((progress, refusals, onProgress) -> new LogImport(log, writer, source, progress, refusals,
                    InstantSource.system(), onProgress, settings));
        }
    }

    /** Imports through a server. */
    Result run(BatchClient server, ImportSource source, long newImportId) {
        return run((progress, refusals, onProgress) -> new BatchImport(server, source, progress, refusals, onProgress,
                newImportId, TIMEOUT));
    }

    private Result run(Start start) {
        try (ProgressFile progress = plan.progress() == null ? null : ProgressFile.open(plan.progress());
                RefusedEntries refusals = RefusedEntries.to(err, plan.rejects());
                ProgressBar bar = bar()) {
            Work work = start.with(progress, refusals, position -> stepTo(bar, position));
            try (var _ = new GracefulStop(work::stop)) {
                return work.run();
            }
        } catch (Stopped e) {
            throw stopped(e.getMessage());
        } catch (IOException e) {
            throw new CommandFailed("cannot read the input, or write what is refused: " + e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw stopped("interrupted");
        }
    }

    /** Reports an incomplete import, with the way to continue. */
    CommandFailed stopped(String reason) {
        return new CommandFailed(reason + (plan.progress() == null
                ? "; without --progress this import cannot be continued: what it has stored would count twice"
                : "; run the same command again to go on"));
    }

    /** Releases the timers that a killed import still holds. */
    void release(CommandLog log) {
        try (ProgressFile file = ProgressFile.open(plan.progress()); var writer = new CommandLogWriter(log)) {
            ProgressFile.Progress progress = file.read();
            if (progress == null || !progress.target().equals(log.id())) {
                throw new CommandFailed("no import into this Kafka is noted in " + plan.progress());
            }
            writer.release(LogImport.holdName(progress.importId()), InstantSource.system().millis());
        }
    }

    private ProgressBar bar() {
        Bar bar = plan.bar();
        return ProgressReporter.isOnTerminal()
                ? ProgressReporter.bar(bar.name(), bar.length() == 0 ? -1 : bar.length(), bar.unit(), bar.unitSize())
                : null;
    }

    private static void stepTo(ProgressBar bar, long position) {
        if (bar != null) {
            bar.stepTo(position);
        }
    }

    static String describe(Result result) {
        return String.format(Locale.ROOT, "%s %,d commands in %s (%,d/s)%s, %,d refused",
                result.complete() ? "imported" : "stopped after importing", result.written(),
                describe(result.elapsed()), perSecond(result.written(), result.elapsed()),
                result.found() == 0 ? "" : String.format(Locale.ROOT, ", %,d were there already", result.found()),
                result.refused());
    }

    private static String describe(Duration elapsed) {
        return String.format(Locale.ROOT, "%.1f s", elapsed.toMillis() / 1000.0);
    }

    static long perSecond(long count, Duration elapsed) {
        return elapsed.isZero() ? 0 : Math.round(count * 1e9 / elapsed.toNanos());
    }

    /**
     * Result of a run.
     *
     * @param found entries that were in the log although the progress file did not say so
     * @param complete false if the run was stopped before the end of the source
     */
    record Result(long written, long found, long refused, Duration elapsed, boolean complete) {}

    /** Reports that an import could not continue; what it has written stays. */
    static final class Stopped extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Stopped(String reason) {
            super(reason);
        }
    }
}
