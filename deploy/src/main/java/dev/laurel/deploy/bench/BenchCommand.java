package dev.laurel.deploy.bench;

import dev.laurel.deploy.cli.CommandFailed;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures Laurel on this machine: in comparison with a bare pipeline of the same shape, or in another selected way.
 */
@Command(name = "bench", description = {
        "Measure Laurel against a bare pipeline of the same shape, or one of what follows.",
        "Progress goes to stderr, the table to stdout."})
public final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @ArgGroup
    private Kind kind;

    @Option(names = "--quick", fallbackValue = "true", description = "Take less than 45 s instead of minutes; the ratios are then rough.")
    private boolean quick;

    @Option(names = "--rate", paramLabel = "PER_SECOND", description = "Events per second of a soak, and as many reads; default: 200.")
    private Integer rate;

    @Option(names = "--events", paramLabel = "N", description = "Events in the log of --replay (default: 1,000,000, quick: 500,000), or for each node of --scale (500,000, 30,000).")
    private Integer events;

    @Option(names = "--users", paramLabel = "N", description = "Users of --restart (default: 1,000,000, quick: 20,000).")
    private Integer users;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON to FILE, or to stdout with '-' instead of the table.")
    private String json;

    /** Selects another measurement than the comparison. */
    private static final class Kind {

        @Option(names = "--soak", paramLabel = "DURATION", description = "Load one instance steadily for this time, e.g. PT1H: do memory and latency stay constant?")
        private Duration soak;

        @Option(names = "--replay", fallbackValue = "true", description = "Measure how fast a log is replayed, compared with the bare pipeline.")
        private boolean replay;

        @Option(names = "--scale", fallbackValue = "true", description = "Measure one node and two nodes, each pinned to a core: how much faster are two?")
        private boolean scale;

        @Option(names = "--restart", fallbackValue = "true", description = "Stop, kill and start an instance with many users: how long is it unavailable?")
        private boolean restart;
    }

    @Override
    public Integer call() throws InterruptedException {
        var progress = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        BenchResult found = run(progress);
        PrintWriter out = spec.commandLine().getOut();
        if ("-".equals(json)) {
            out.println(found.toJson());
        } else {
            out.println(found.toTable());
            writeJson(found);
        }
        out.flush();
        return 0;
    }

    private BenchResult run(PrintStream progress) throws InterruptedException {
        Kind asked = kind == null ? new Kind() : kind;
        onlyFor(asked.soak != null, "--rate", rate, "--soak");
        onlyFor(asked.replay || asked.scale, "--events", events, "--replay and --scale");
        onlyFor(asked.restart, "--users", users, "--restart");
        Consumer<String> timed = timed(progress);
        if (asked.soak != null) {
            return SoakBench.run(valid(() -> SoakBench.Plan.of(asked.soak, rate == null ? SoakBench.Plan.RATE : rate)),
                    timed);
        }
        if (asked.replay) {
            return ReplayBench.run(valid(() -> ReplayBench.Plan.of(events, quick)), timed);
        }
        if (asked.scale) {
            return ScaleBench.run(valid(() -> ScaleBench.Plan.of(events, quick)), timed);
        }
        if (asked.restart) {
            return RestartBench.run(valid(() -> RestartBench.Plan.of(users, quick)), timed);
        }
        return Bench.run(quick ? Bench.Plan.quick() : Bench.Plan.full(),
                List.of(BarePipeline::start, LaurelSubject::start), progress);
    }

    private void onlyFor(boolean isAsked, String option, Object given, String kinds) {
        if (given != null && !isAsked) {
            throw new ParameterException(spec.commandLine(), option + " belongs to " + kinds);
        }
    }

    /** Reports values that a plan rejects as wrong usage. */
    private <P> P valid(Supplier<P> plan) {
        try {
            return plan.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static Consumer<String> timed(PrintStream progress) {
        long startNanos = System.nanoTime();
        return line -> progress.printf(Locale.ROOT, "%7.1f s  %s%n", (System.nanoTime() - startNanos) / 1e9, line);
    }

    private void writeJson(BenchResult found) {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(Path.of(json), found.toJson() + "\n");
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + json + ": " + e.getMessage(), e);
        }
    }

    /**
     * Starts everything in a temporary folder, works for some seconds and stops. The script {@code laurel} lets the
     * JVM record this run in its ahead-of-time cache, which makes later starts and first responses fast. Not meant
     * for other uses.
     */
    @Command(name = "warm-up", hidden = true, description = "Start, work and stop on a scratch directory.")
    public static final class WarmUp implements Callable<Integer> {

        @Override
        public Integer call() {
            Bench.run(Bench.Plan.warmUpOnly(), List.of(LaurelSubject::start),
                    new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
            return 0;
        }
    }
}
