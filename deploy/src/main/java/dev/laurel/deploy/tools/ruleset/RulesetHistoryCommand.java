package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.ServerOptions;
import dev.laurel.schemas.wire.RulesetVersionBody;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "history", description = "List the versions of the ruleset of a server, newest first.")
final class RulesetHistoryCommand implements Runnable {

    private static final int NAMED = 3;

    @Spec
    private CommandSpec spec;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "10", description = "How many, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--skip", paramLabel = "N", defaultValue = "0", description = "How many of the newest to leave out (default: ${DEFAULT-VALUE}).")
    private int skip;

    @Mixin
    private ServerOptions server;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        try (RulesetClient client = server.rulesetClient(dataDir.path())) {
            var versions = client.history(limit, skip);
            out.printf("%-8s %-25s %s%n", "VERSION", "PUBLISHED", "CHANGES");
            versions.forEach(v -> out.printf("%-8d %-25s %s%n", v.version(), v.published(), changes(v)));
            out.flush();
        }
    }

    private static String changes(RulesetVersionBody version) {
        int count = version.added() + version.changed() + version.removed();
        String named = version.objects().stream().limit(NAMED).map(o -> o.object() + " " + o.change())
                .collect(Collectors.joining(", "));
        return count <= NAMED ? named : named + " and " + (count - NAMED) + " more";
    }
}
