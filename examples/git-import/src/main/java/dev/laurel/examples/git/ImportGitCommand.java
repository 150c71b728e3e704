package dev.laurel.examples.git;

import dev.laurel.deploy.LaurelMain.CheckoutCommand;
import dev.laurel.deploy.cli.ConnectionOptions;
import dev.laurel.deploy.tools.imports.CommandLog;
import dev.laurel.deploy.tools.imports.ImportJob;
import dev.laurel.deploy.tools.imports.ImportWork;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "import-git",
        description = {
            "Turn the history of a git repository into metric events.",
            "",
            "Each commit counts 1 for the metric commits, and its added and deleted lines for lines-changed, at its"
                    + " author time, for a user whose id is the hash of the author's address. A time before 1970 becomes"
                    + " the first moment of 1970, a time in the future the present. A server without any ruleset gets one"
                    + " for these metrics; another ruleset is not changed and must have them. Run it again after a crash:"
                    + " it continues, and no commit counts twice."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ImportGitCommand implements CheckoutCommand {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "A repository: its working tree or its git folder, bare or not.")
    private Path dir;

    @Option(
            names = "--progress",
            paramLabel = "FILE",
            description = "File for the progress (default: a file in the current folder, named after DIR).")
    private @Nullable Path progress;

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        CommandLog log = CommandLog.find(connection.kafka());
        // A git history belongs to no tenant.
        log.tenant(null);
        try (GitHistory history = GitHistory.open(dir);
                var source = new GitSource(history, connection.clock())) {
            if (history.commitCount() == 0) {
                throw new CommandFailed(dir + " has no commits");
            }
            ensureRuleset(out);
            var bar = new ImportJob.Bar("import-git", " commits", 1, history.commitCount());
            var run = new ImportJob(
                    progressFile(),
                    null,
                    bar,
                    connection.clock(),
                    spec.commandLine().getErr());
            report(run, out, source, run.run(log, source, source.importId(), true));
        }
        return 0;
    }

    private void ensureRuleset(PrintWriter out) {
        try (RulesetClient client = new RulesetClient(connection.calls())) {
            if (GitRuleset.ensure(client)) {
                out.println("applied a ruleset for git histories");
                out.flush();
            }
        }
    }

    private Path progressFile() {
        return progress != null
                ? progress
                : Path.of(dir.toAbsolutePath().normalize().getFileName() + ".laurel-progress");
    }

    private void report(ImportJob run, PrintWriter out, GitSource source, ImportWork.Result result) {
        out.printf(
                Locale.ROOT,
                "%,d commits of %,d authors: %s%n",
                source.commits(),
                source.authors(),
                ImportJob.describe(result));
        if (source.clamped() > 0) {
            out.printf(Locale.ROOT, "%,d commits had times before 1970 or in the future%n", source.clamped());
        }
        if (!result.complete()) {
            out.flush();
            throw run.stopped("stopped");
        }
        source.mostActiveAuthor().ifPresent(author -> {
            suggestReads(out, author);
            suggestReports(out, LocalDate.ofInstant(source.newest(), ZoneOffset.UTC));
        });
        out.flush();
    }

    private void suggestReads(PrintWriter out, String author) {
        out.println("the author with most commits:");
        for (String path : List.of("", "/points/xp", "/streak")) {
            out.println("  curl -H \"X-API-KEY: " + connection.keyForShell() + "\" " + connection.url() + "/v1/users/"
                    + author + path);
        }
    }

    private void suggestReports(PrintWriter out, LocalDate last) {
        String window = " granularity=month from=" + last.minusMonths(11).withDayOfMonth(1) + " to=" + last + " --url "
                + connection.url() + " --key \"" + connection.keyForShell() + "\"";
        out.println("authors of its last year, and how many of the new ones came back:");
        for (String report : List.of("active-users", "retention")) {
            out.println("  deploy/laurel report " + report + window);
        }
    }

    /** The ruleset for git histories. */
    static final class GitRuleset {

        private static final String RESOURCE = "git-ruleset.yaml";

        private GitRuleset() {}

        static RulesetSource source() {
            try (InputStream in = GitRuleset.class.getResourceAsStream(RESOURCE)) {
                return RulesetFile.parse(RESOURCE, new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .source();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /**
         * Ensures that the server counts commits and lines; never changes an existing ruleset.
         *
         * @return whether the server had no rules and got these
         */
        static boolean ensure(RulesetClient client) {
            RulesetSource current = client.current().source();
            List<String> metrics = List.of(GitSource.COMMITS, GitSource.LINES_CHANGED);
            if (current.content().part("metrics").names().containsAll(metrics)) {
                return false;
            }
            if (!current.equals(RulesetSource.EMPTY)) {
                throw new CommandFailed("the server has a ruleset of its own without the metrics "
                        + String.join(" and ", metrics) + "; add them to it, or use a server without a ruleset");
            }
            return switch (client.apply(source())) {
                case RulesetClient.Outcome.Done<?> _ -> true;
                case RulesetClient.Outcome.Refused<?>(var issues) ->
                    throw new CommandFailed("the server refuses the ruleset for git histories: " + issues.getFirst());
            };
        }
    }
}
