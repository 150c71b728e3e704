package dev.laurel.deploy.bench;

import java.io.PrintStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Starts everything on a scratch directory, works for some seconds and stops. The script {@code laurel} lets the JVM record
 * this run in its ahead-of-time cache, classes and profiles, so that real starts are quick and their first answers too;
 * nothing else has a use for it.
 */
@Command(name = "warm-up", hidden = true, description = "Start, work and stop on a scratch directory.")
public final class WarmUpCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        Bench.run(BenchPlan.warmUpOnly(), List.of(LaurelSubject::start),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        return 0;
    }
}
