package dev.laurel.deploy.cli;

import dev.laurel.platform.command.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the steps of a long operation one after the other, each with its rate and the time left: as a bar on a
 * terminal, otherwise as a line every few seconds. Steps that end sooner print nothing. Used by one thread.
 */
public final class ProgressReporter implements Progress, AutoCloseable {

    private static final long LINE_EVERY_NS = TimeUnit.SECONDS.toNanos(5);

    private final PrintWriter err;
    private final boolean onTerminal;
    private final LongSupplier nanoTime;
    private @Nullable ProgressBar bar;
    private String step = "";
    private String unit = "";
    private long total;
    private long begunNs;
    private long printedNs;

    /** @param err receives lines; a bar is drawn on the terminal itself */
    public ProgressReporter(PrintWriter err) {
        this(err, isOnTerminal(), System::nanoTime);
    }

    ProgressReporter(PrintWriter err, boolean onTerminal, LongSupplier nanoTime) {
        this.err = err;
        this.onTerminal = onTerminal;
        this.nanoTime = nanoTime;
    }

    /** Returns whether the output goes to a terminal. */
    public static boolean isOnTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    /** Creates a progress bar on standard error. @param amount -1 if it is not known */
    public static ProgressBar bar(String name, long amount, String unit, long unitSize) {
        return new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(amount)
                .setUnit(unit, unitSize)
                .setStyle(ProgressBarStyle.ASCII)
                .showSpeed()
                .setConsumer(new ConsoleProgressBarConsumer(System.err))
                .build();
    }

    @Override
    public void begin(String name, String unitName, long amount) {
        end();
        step = name;
        unit = unitName;
        total = amount;
        begunNs = nanoTime.getAsLong();
        printedNs = begunNs;
        if (onTerminal) {
            bar = bar(name, amount, " " + unitName, 1);
        }
    }

    @Override
    public void stepTo(long done) {
        if (bar != null) {
            bar.stepTo(done);
            return;
        }
        long nowNs = nanoTime.getAsLong();
        if (!onTerminal && nowNs - printedNs >= LINE_EVERY_NS) {
            printedNs = nowNs;
            err.println(line(done, nowNs - begunNs));
            err.flush();
        }
    }

    private String line(long done, long elapsedNs) {
        double perSecond = done * 1e9 / elapsedNs;
        String left = perSecond == 0
                ? ""
                : String.format(Locale.ROOT, ", %,d s left", Math.round(Math.max(0, total - done) / perSecond));
        return String.format(
                Locale.ROOT,
                "%s: %,d of %,d %s, %,d/s%s",
                step,
                done,
                Math.max(done, total),
                unit,
                Math.round(perSecond),
                left);
    }

    @Override
    public void end() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }

    @Override
    public void close() {
        end();
    }
}
