package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.ServerOptions;
import dev.laurel.deploy.tools.ruleset.RulesetClient.Applied;
import dev.laurel.deploy.tools.ruleset.RulesetClient.Compared;
import dev.laurel.schemas.wire.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetDiffBody;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "apply", description = "Make a file the ruleset of a server, and show what that changes; does nothing if it is already.")
final class RulesetApplyCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The ruleset, usually laurel.yaml.")
    private Path file;

    @Mixin
    private ServerOptions server;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        PrintWriter err = spec.commandLine().getErr();
        RulesetFile ruleset = RulesetFile.read(file);
        RulesetProblems.expectNone(ruleset.problems(), err);
        try (RulesetClient client = server.rulesetClient(dataDir.path())) {
            switch (client.compare(ruleset.source())) {
                case Compared.Done(RulesetDiffBody diff) -> apply(ruleset, diff, client);
                case Compared.Refused(var issues) -> RulesetProblems.expectNone(ruleset.locate(issues), err);
            }
        }
    }

    /** Only what was shown: if somebody has changed the rules since, this changes nothing. */
    private void apply(RulesetFile ruleset, RulesetDiffBody diff, RulesetClient client) {
        RulesetChanges.print(diff.changes(), spec.commandLine().getOut());
        switch (client.apply(ruleset.source(), diff.from())) {
            case Applied.Done(RulesetAppliedBody body) -> tell(ruleset, body);
            case Applied.Refused(var issues) ->
                RulesetProblems.expectNone(ruleset.locate(issues), spec.commandLine().getErr());
        }
    }

    private void tell(RulesetFile ruleset, RulesetAppliedBody body) {
        PrintWriter out = spec.commandLine().getOut();
        ruleset.locate(body.issues()).forEach(spec.commandLine().getErr()::println);
        out.println(body.changed()
                ? "applied " + file + " as version " + body.version()
                : "nothing to do: version " + body.version() + " says the same as " + file);
        out.flush();
    }
}
