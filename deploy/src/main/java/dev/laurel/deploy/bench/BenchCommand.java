package dev.laurel.deploy.bench;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
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

/** Measures Laurel against a bare pipeline of the same shape, or how it bears something for long, in one run on this machine. */
@Command(name = "bench", description = {
        "Measure Laurel against a bare pipeline of the same shape, or one of what follows.",
        "Progress goes to stderr, the table to stdout."})
public final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @ArgGroup
    private Kind kind;

    @Option(names = "--quick", fallbackValue = "true", description = "Under 45 s instead of minutes; the ratios are rough then.")
    private boolean quick;

    @Option(names = "--rate", paramLabel = "PER_SECOND", description = "Events per second of a soak, and as many reads; default: 200.")
    private Integer rate;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON to FILE, or to stdout with '-' instead of the table.")
    private String json;

    /** What is measured instead of the comparison; one at a time. */
    private static final class Kind {

        @Option(names = "--soak", paramLabel = "DURATION", description = "Load one instance steadily for so long, e.g. PT1H: do memory and latency stay flat?")
        private Duration soak;
    }

    @Override
    public Integer call() {
        var progress = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        Findings found = run(progress);
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

    private Findings run(PrintStream progress) {
        if (kind == null) {
            refuse(rate, "--rate", "--soak");
            return Bench.run(quick ? BenchPlan.quick() : BenchPlan.full(),
                    List.of(BarePipeline::start, LaurelSubject::start), progress);
        }
        SoakPlan plan = valid(() -> SoakPlan.of(kind.soak, rate == null ? SoakPlan.RATE : rate));
        return SoakBench.run(plan, timed(progress));
    }

    private void refuse(Object given, String option, String other) {
        if (given != null) {
            throw new ParameterException(spec.commandLine(), option + " is an option of " + other);
        }
    }

    /** What a plan refuses is a wrong use of the command. */
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

    private void writeJson(Findings found) {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(Path.of(json), found.toJson() + "\n");
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + json + ": " + e.getMessage(), e);
        }
    }
}
