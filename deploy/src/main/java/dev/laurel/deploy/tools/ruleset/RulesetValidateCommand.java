package dev.laurel.deploy.tools.ruleset;

import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "validate", description = "Check a ruleset file; needs no server.")
final class RulesetValidateCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The ruleset, usually laurel.yaml.")
    private Path file;

    @Override
    public void run() {
        RulesetFile ruleset = RulesetFile.read(file);
        RulesetProblems.expectNone(ruleset.problems(), spec.commandLine().getErr());
        PrintWriter out = spec.commandLine().getOut();
        var source = ruleset.source();
        out.printf("%s is valid: %d metrics, %d achievements, %d points systems%n", file, source.metrics().size(),
                source.achievements().size(), source.points().size());
        out.flush();
    }
}
