package dev.laurel.bench;

import dev.laurel.bench.BenchResult.Progress;
import dev.laurel.deploy.LaurelMain.CheckoutCommand;
import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures Laurel on this machine: compared with a bare pipeline of the same shape, or by another selected benchmark. */
@Command(
        name = "bench",
        description = {
            "Measure events through Kafka, against a bare pipeline of the same shape and with more and more users, or"
                    + " run one of the benchmarks below.",
            "Progress goes to stderr, the table to stdout."
        })
public final class BenchCommand implements CheckoutCommand {

    @Spec
    private CommandSpec spec;

    @ArgGroup
    private @Nullable Kind kind;

    @Option(
            names = "--quick",
            fallbackValue = "true",
            description = "Take less than 45 s instead of minutes; the ratios are then rough.")
    private boolean quick;

    @Option(
            names = "--rate",
            paramLabel = "PER_SECOND",
            description = "Events per second of a soak, and as many reads; default: 200.")
    private @Nullable Integer rate;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Events in the log of --replay (default: 1,000,000, quick: 500,000).")
    private @Nullable Integer events;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "Users of --restart (default: 1,000,000, quick: 20,000).")
    private @Nullable Integer users;

    @Option(
            names = "--against",
            paramLabel = "DIR",
            description = "Another checkout of Laurel that --http loads in turns with this one.")
    private @Nullable Path against;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the figures as JSON to FILE, or to stdout with '-' instead of the table.")
    private @Nullable String json;

    /** Selects another measurement than the comparison. */
    private static final class Kind {

        @Option(
                names = "--soak",
                paramLabel = "DURATION",
                description =
                        "Load one instance steadily for this time, e.g. PT1H: do memory and latency stay constant?")
        private @Nullable Duration soak;

        @Option(
                names = "--replay",
                fallbackValue = "true",
                description = "Measure how fast a log is replayed, compared with the bare pipeline.")
        private boolean replay;

        @Option(
                names = "--restart",
                fallbackValue = "true",
                description = "Stop, kill and start an instance with many users: how long is it unavailable?")
        private boolean restart;

        @Option(
                names = "--http",
                fallbackValue = "true",
                description =
                        "Measure an instance in a process of its own, over HTTP and through Kafka: rates, latencies,"
                                + " and processor time per request and event.")
        private boolean http;
    }

    @Override
    public Integer call() throws InterruptedException {
        BenchResult result = run(Progress.to(new PrintStream(System.err, true, StandardCharsets.UTF_8)));
        PrintWriter out = spec.commandLine().getOut();
        if ("-".equals(json)) {
            out.print(result.toJson() + "\n");
        } else {
            out.print(result.toTable() + "\n");
            writeJson(result);
        }
        out.flush();
        return 0;
    }

    private BenchResult run(Progress progress) throws InterruptedException {
        Kind selected = kind == null ? new Kind() : kind;
        onlyFor(selected.soak != null, "--rate", rate, "--soak");
        onlyFor(selected.replay, "--events", events, "--replay");
        onlyFor(selected.restart, "--users", users, "--restart");
        onlyFor(selected.http, "--against", against, "--http");
        Duration soak = selected.soak;
        if (soak != null) {
            int perSecond = rate == null ? SoakBench.Plan.RATE : rate;
            return SoakBench.run(valid(() -> SoakBench.Plan.of(soak, perSecond)), progress);
        }
        if (selected.replay) {
            return ReplayBench.run(valid(() -> ReplayBench.Plan.of(events, quick)), progress);
        }
        if (selected.restart) {
            return RestartBench.run(valid(() -> RestartBench.Plan.of(users, quick)), progress);
        }
        if (selected.http) {
            return HttpBench.run(HttpBench.Plan.of(quick), against == null ? null : checkout(against), progress);
        }
        return KafkaBench.run(KafkaBench.Plan.of(quick), progress);
    }

    private Path checkout(Path folder) {
        if (!Files.isExecutable(folder.resolve("deploy").resolve("laurel"))) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--against must be a checkout of Laurel, with the program deploy/laurel: " + folder);
        }
        return folder.toAbsolutePath();
    }

    private void onlyFor(boolean isSelected, String option, @Nullable Object given, String kinds) {
        if (given != null && !isSelected) {
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

    private void writeJson(BenchResult result) {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(Path.of(json), result.toJson() + "\n");
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + json + ": " + e.getMessage(), e);
        }
    }
}
