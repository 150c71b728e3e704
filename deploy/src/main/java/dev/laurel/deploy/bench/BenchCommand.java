package dev.laurel.deploy.bench;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures Laurel against a bare pipeline of the same shape, in one run on this machine. */
@Command(name = "bench", description = {"Measure Laurel against a bare pipeline of the same shape.",
        "Progress goes to stderr, the table to stdout."})
public final class BenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", fallbackValue = "true", description = "Under 45 s instead of minutes; the ratios are rough then.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures as JSON to FILE, or to stdout with '-' instead of the table.")
    private String json;

    @Override
    public Integer call() {
        BenchReport report = Bench.run(quick ? BenchPlan.quick() : BenchPlan.full(),
                List.of(BarePipeline::start, LaurelSubject::start),
                new PrintStream(System.err, true, StandardCharsets.UTF_8));
        PrintWriter out = spec.commandLine().getOut();
        if ("-".equals(json)) {
            out.println(report.toJson());
        } else {
            out.println(report.toTable());
            writeJson(report);
        }
        out.flush();
        return 0;
    }

    private void writeJson(BenchReport report) {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(Path.of(json), report.toJson() + "\n");
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + json + ": " + e.getMessage(), e);
        }
    }
}
