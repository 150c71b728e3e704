package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.admin.RulesetDiff;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetChangeBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetDiffBody;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code ruleset} and its subcommands. */
@Command(
        name = "ruleset",
        description = "Check, apply, export, compare and restore the rules (laurel.yaml).",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RulesetCommand.Validate.class,
            RulesetCommand.Apply.class,
            RulesetCommand.Export.class,
            RulesetCommand.Diff.class,
            RulesetCommand.Rollback.class
        })
public final class RulesetCommand {

    /** A subcommand that calls a server. */
    private abstract static class ServerCommand extends ToolCommand {
        @Override
        protected final int work() {
            try (RulesetClient client = new RulesetClient(connection.calls())) {
                return run(client, out());
            }
        }

        /** Returns the exit code. */
        abstract int run(RulesetClient client, PrintWriter out);
    }

    /** A subcommand that sends a ruleset file to a server. */
    private abstract static class FileCommand extends ToolCommand {
        @Parameters(paramLabel = "FILE", description = "The ruleset, usually laurel.yaml.")
        Path file;

        @Override
        protected final int work() {
            RulesetFile ruleset = RulesetFile.read(file, err());
            try (RulesetClient client = new RulesetClient(connection.calls())) {
                return run(client, ruleset, out());
            }
        }

        /** Returns the exit code. */
        abstract int run(RulesetClient client, RulesetFile ruleset, PrintWriter out);

        final RulesetDiffBody compare(RulesetClient client, RulesetFile ruleset) {
            return RulesetOutput.expectDone(client.compare(ruleset.source()), ruleset::locate, err());
        }
    }

    @Command(name = "validate", description = "Check a ruleset file; needs no server.")
    static final class Validate implements Runnable {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "The ruleset, usually laurel.yaml.")
        private Path file;

        @Override
        public void run() {
            PrintWriter err = spec.commandLine().getErr();
            RulesetFile ruleset = RulesetFile.read(file, err);
            PrintWriter out = spec.commandLine().getOut();
            RulesetOutput.expectNone(ruleset.locate(RulesetEditor.issuesOf(ruleset.source())), err);
            FieldMap content = ruleset.source().content();
            out.printf(
                    "%s is valid: %d metrics, %d achievements, %d points systems%n",
                    file,
                    content.part("metrics").size(),
                    content.part("achievements").size(),
                    content.part("points").size());
            out.flush();
        }
    }

    @Command(
            name = "apply",
            description =
                    "Apply a ruleset file to a server and show the changes; does nothing if there are none. Sections"
                            + " that the file does not have stay.")
    static final class Apply extends FileCommand {
        @Option(
                names = "--delete",
                fallbackValue = "true",
                description = "Also delete what the file no longer has, in the sections that it has (default: ask in a"
                        + " terminal, else refuse).")
        private boolean delete;

        private static final int SHOWN = 50;

        /** Applies the changes that were shown, unless the ruleset has changed since. */
        @Override
        int run(RulesetClient client, RulesetFile ruleset, PrintWriter out) {
            RulesetDiffBody diff = compare(client, ruleset);
            RulesetOutput.print(diff.changes(), out);
            out.flush();
            if (!delete && !mayDelete(RulesetDiff.deletions(diff.changes(), ruleset.source()))) {
                throw new CommandFailed("nothing was applied: " + file + " would delete what is listed with '-'. Give"
                        + " --delete to do that, or put it into the file ('laurel ruleset export' writes it)");
            }
            RulesetAppliedBody applied =
                    RulesetOutput.expectDone(client.apply(ruleset.source(), diff.from()), ruleset::locate, err());
            ruleset.locate(applied.issues()).forEach(err()::println);
            out.println(
                    applied.changed()
                            ? "applied " + file + " as version " + applied.version()
                            : "nothing to do: version " + applied.version() + " equals " + file);
            return 0;
        }

        /** Asks the user of a terminal; in a script, the answer is no. */
        private static boolean mayDelete(List<RulesetChangeBody> deletions) {
            if (deletions.isEmpty()) {
                return true;
            }
            Console console = System.console();
            if (console == null || !console.isTerminal()) {
                return false;
            }
            String answer = console.readLine(
                    "Delete %s?%s%nType yes to go on: ",
                    deletions.size() == 1 ? "this" : "these " + deletions.size(),
                    deletions.stream()
                            .limit(SHOWN)
                            .map(deletion -> "\n- " + deletion.path())
                            .collect(Collectors.joining()));
            return answer != null && answer.strip().equalsIgnoreCase("yes");
        }
    }

    @Command(
            name = "diff",
            description = "Show what applying a file would change on a server: - is what --delete would delete; changes"
                    + " nothing.")
    static final class Diff extends FileCommand {
        @Option(
                names = "--exit-code",
                fallbackValue = "true",
                description = "Exit with 1 if there are changes (default: with 0).")
        private boolean exitCode;

        @Override
        int run(RulesetClient client, RulesetFile ruleset, PrintWriter out) {
            RulesetDiffBody diff = compare(client, ruleset);
            RulesetOutput.print(diff.changes(), out);
            boolean isSame = diff.changes().isEmpty();
            out.println(
                    isSame
                            ? "no changes: version " + diff.from() + " equals " + file
                            : RulesetOutput.count(diff.changes()) + " from version " + diff.from() + " to " + file);
            return exitCode && !isSame ? 1 : 0;
        }
    }

    @Command(name = "export", description = "Write the ruleset of a server as YAML.")
    static final class Export extends ServerCommand {
        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                description = "Where to write it; replaced if it exists (default: standard output).")
        private @Nullable Path output;

        @Override
        int run(RulesetClient client, PrintWriter out) {
            RulesetClient.Current current = client.current();
            String yaml = RulesetYaml.write(current.source(), client.calls().base());
            if (output == null) {
                Terminal.forDocument(out).print(yaml);
                return 0;
            }
            write(output, yaml);
            out.println("wrote version " + current.version() + " to " + output);
            return 0;
        }
    }

    @Command(
            name = "rollback",
            description = "Restore an earlier version of the ruleset of a server, as its newest version.")
    static final class Rollback extends ServerCommand {
        @Parameters(paramLabel = "VERSION", description = "The version to restore; 'laurel report history' lists them.")
        private long version;

        @Override
        int run(RulesetClient client, PrintWriter out) {
            RulesetAppliedBody applied = RulesetOutput.expectDone(
                    client.rollback(version),
                    issues -> issues.stream()
                            .map(i -> new RulesetOutput.Problem("version " + version, 0, 0, i.path(), i.message()))
                            .toList(),
                    err());
            out.println(
                    applied.changed()
                            ? "restored version " + version + " as version " + applied.version()
                            : "nothing to do: version " + applied.version() + " equals version " + version);
            return 0;
        }
    }
}
