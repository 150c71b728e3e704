package dev.laurel.deploy.tools.replay;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows one step of a long work after the other, each with its rate and the time left: as a bar on a terminal, else as a line
 * every few seconds, and as nothing at all where a step is over before that. One thread.
 */
public final class ReplayProgress implements AutoCloseable {

    private static final long LINE_EVERY_NS = TimeUnit.SECONDS.toNanos(5);

    private final PrintWriter err;
    private final boolean onTerminal;
    private final LongSupplier nanoTime;
    private ProgressBar bar;
    private String step = "";
    private String unit = "";
    private long total;
    private long begunNs;
    private long toldNs;

    /** @param err gets lines; a bar is drawn on the terminal itself */
    public ReplayProgress(PrintWriter err) {
        this(err, System.console() != null && System.console().isTerminal(), System::nanoTime);
    }

    ReplayProgress(PrintWriter err, boolean onTerminal, LongSupplier nanoTime) {
        this.err = err;
        this.onTerminal = onTerminal;
        this.nanoTime = nanoTime;
    }

    /** @param amount how much of the unit there is to be done, as far as is known */
    public void begin(String name, String unitName, long amount) {
        end();
        step = name;
        unit = unitName;
        total = amount;
        begunNs = nanoTime.getAsLong();
        toldNs = begunNs;
        if (onTerminal) {
            bar = new ProgressBarBuilder().setTaskName(name).setInitialMax(amount).setUnit(" " + unitName, 1)
                    .setStyle(ProgressBarStyle.ASCII).showSpeed()
                    .setConsumer(new ConsoleProgressBarConsumer(System.err)).build();
        }
    }

    public void stepTo(long done) {
        if (bar != null) {
            bar.stepTo(done);
            return;
        }
        long nowNs = nanoTime.getAsLong();
        if (!onTerminal && nowNs - toldNs >= LINE_EVERY_NS) {
            toldNs = nowNs;
            err.println(line(done, nowNs - begunNs));
            err.flush();
        }
    }

    private String line(long done, long elapsedNs) {
        double perSecond = done * 1e9 / elapsedNs;
        String left = perSecond == 0
                ? ""
                : String.format(Locale.ROOT, ", %,d s left", Math.round(Math.max(0, total - done) / perSecond));
        return String.format(Locale.ROOT, "%s: %,d of %,d %s, %,d/s%s", step, done, Math.max(done, total), unit,
                Math.round(perSecond), left);
    }

    /** The step is done, or given up. */
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
