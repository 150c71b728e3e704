package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "export", description = "Write the ruleset of a server as YAML.")
final class RulesetExportCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = {"-o",
            "--output"}, paramLabel = "FILE", description = "Where to write it; replaced if it exists (default: standard output).")
    private Path output;

    @Mixin
    private ServerOptions server;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        try (RulesetClient client = server.rulesetClient(dataDir.path())) {
            RulesetClient.Current current = client.current();
            String yaml = RulesetYaml.write(current.source(), server.url().toString().replaceFirst("/+$", ""));
            if (output == null) {
                out.print(yaml);
            } else {
                Files.writeString(output, yaml);
                out.println("wrote version " + current.version() + " to " + output);
            }
            out.flush();
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + output + ": " + e.getMessage(), e);
        }
    }
}
