package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.ServerOptions;
import dev.laurel.deploy.tools.ruleset.RulesetClient.Applied;
import dev.laurel.schemas.ruleset.RulesetIssue;
import dev.laurel.schemas.wire.RulesetAppliedBody;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "rollback", description = "Make the ruleset of a server say again what it said in an earlier version.")
final class RulesetRollbackCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "VERSION", description = "Which one, see 'history'.")
    private long version;

    @Mixin
    private ServerOptions server;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        try (RulesetClient client = server.rulesetClient(dataDir.path())) {
            switch (client.rollback(version)) {
                case Applied.Done(RulesetAppliedBody body) -> tell(body);
                case Applied.Refused(List<RulesetIssue> issues) -> RulesetProblems.expectNone(issues.stream()
                        .map(i -> new Problem("version " + version, 0, 0, i.path(), i.message())).toList(),
                        spec.commandLine().getErr());
            }
        }
    }

    private void tell(RulesetAppliedBody body) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(body.changed()
                ? "version " + body.version() + " says again what version " + version + " said"
                : "nothing to do: version " + body.version() + " says the same as version " + version);
        out.flush();
    }
}
