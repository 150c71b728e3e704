package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * One import as a program: a progress bar if someone watches, a graceful end if the process is told to end, one line on
 * what was done. Messages go to {@code err}.
 */
final class ImportRun {

    private static final long STOP_TIMEOUT_MS = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * @param progress where to note progress, null for nowhere
     * @param rejects where refused lines go, null for nowhere
     * @param bar the progress bar's name, unit and length in the source's positions; length 0 if unknown
     */
    record Plan(Path progress, Path rejects, Bar bar) {}

    record Bar(String name, String unit, long unitSize, long length) {}

    private final Plan plan;
    private final PrintWriter err;

    ImportRun(Plan plan, PrintWriter err) {
        this.plan = plan;
        this.err = err;
    }

    /** An import, on the thread that runs it. */
    interface Work {

        ImportResult run() throws IOException, InterruptedException;

        /** Ends {@link #run} soon, in good order; may come from any thread. */
        void stop();
    }

    /** What every import is given. */
    interface Start {

        /** @param progress null for an import that cannot be gone on with */
        Work with(ProgressFile progress, Refusals refusals, LongConsumer onProgress);
    }

    /** Into a log. */
    ImportResult run(CommandLog log, ImportSource source, LogImport.Settings settings) {
        try (CommandLogWriter writer = new CommandLogWriter(log)) {
            return run((progress, refusals, onProgress) -> new LogImport(log, writer, source, progress, refusals,
                    InstantSource.system(), onProgress, settings));
        }
    }

    /** Through a server. */
    ImportResult run(BatchClient server, ImportSource source, long newImportId) {
        return run((progress, refusals, onProgress) -> new BatchImport(server, source, progress, refusals, onProgress,
                newImportId, PATIENCE));
    }

    private ImportResult run(Start start) {
        var ended = new CountDownLatch(1);
        try (ProgressFile progress = plan.progress() == null ? null : ProgressFile.open(plan.progress());
                Refusals refusals = Refusals.to(err, plan.rejects());
                ProgressBar bar = bar()) {
            Work work = start.with(progress, refusals, position -> stepTo(bar, position));
            Thread onExit = Thread.ofPlatform().unstarted(() -> stop(work, ended));
            Runtime.getRuntime().addShutdownHook(onExit);
            try {
                return work.run();
            } finally {
                ended.countDown();
                removeHook(onExit);
            }
        } catch (ImportStopped e) {
            throw stopped(e.getMessage());
        } catch (IOException e) {
            throw new CommandFailed("cannot read the input, or write what is refused: " + e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw stopped("interrupted");
        }
    }

    /** Told of an import that was not at its end, with how to go on. */
    CommandFailed stopped(String reason) {
        return new CommandFailed(reason + (plan.progress() == null
                ? "; without --progress this import cannot be gone on with: what it has stored would count twice"
                : "; run the same command again to go on"));
    }

    /** Releases the timers that a killed import still holds. */
    void release(CommandLog log) {
        try (ProgressFile file = ProgressFile.open(plan.progress()); var writer = new CommandLogWriter(log)) {
            Progress progress = file.read();
            if (progress == null || !progress.target().equals(log.id())) {
                throw new CommandFailed("no import into this Kafka is noted in " + plan.progress());
            }
            writer.release(LogImport.holdName(progress.importId()), InstantSource.system().millis());
        }
    }

    /** Runs while the JVM ends: it waits for the import, whose thread goes on until this returns. */
    private static void stop(Work work, CountDownLatch ended) {
        work.stop();
        try {
            ended.await(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The JVM is ending: the hook is what stopped us.
        }
    }

    private ProgressBar bar() {
        if (System.console() == null || !System.console().isTerminal()) {
            return null;
        }
        Bar bar = plan.bar();
        return new ProgressBarBuilder().setTaskName(bar.name()).setInitialMax(bar.length() == 0 ? -1 : bar.length())
                .setUnit(bar.unit(), bar.unitSize()).setStyle(ProgressBarStyle.ASCII).showSpeed()
                .setConsumer(new ConsoleProgressBarConsumer(System.err)).build();
    }

    private static void stepTo(ProgressBar bar, long position) {
        if (bar != null) {
            bar.stepTo(position);
        }
    }

    static String describe(ImportResult result) {
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
}
