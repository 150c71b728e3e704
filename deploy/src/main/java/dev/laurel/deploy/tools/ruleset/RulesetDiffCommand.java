package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.ServerOptions;
import dev.laurel.deploy.tools.ruleset.RulesetClient.Compared;
import dev.laurel.schemas.wire.RulesetDiffBody;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "diff", description = "Show what applying a file would change on a server; changes nothing.")
final class RulesetDiffCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The ruleset, usually laurel.yaml.")
    private Path file;

    @Option(names = "--exit-code", fallbackValue = "true", description = "Exit with 1 if there are changes; otherwise that is no failure.")
    private boolean exitCode;

    @Mixin
    private ServerOptions server;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        RulesetFile ruleset = RulesetFile.read(file);
        RulesetProblems.expectNone(ruleset.problems(), err);
        try (RulesetClient client = server.rulesetClient(dataDir.path())) {
            return switch (client.compare(ruleset.source())) {
                case Compared.Done(RulesetDiffBody diff) -> tell(diff);
                case Compared.Refused(var issues) -> {
                    RulesetProblems.expectNone(ruleset.locate(issues), err);
                    yield 1;
                }
            };
        }
    }

    private int tell(RulesetDiffBody diff) {
        PrintWriter out = spec.commandLine().getOut();
        RulesetChanges.print(diff.changes(), out);
        boolean isSame = diff.changes().isEmpty();
        out.println(isSame
                ? "no changes: version " + diff.from() + " says the same as " + file
                : RulesetChanges.count(diff.changes()) + " from version " + diff.from() + " to " + file);
        out.flush();
        return exitCode && !isSame ? 1 : 0;
    }
}
