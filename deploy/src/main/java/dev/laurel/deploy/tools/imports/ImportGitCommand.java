package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.deploy.tools.ServerOptions;
import dev.laurel.deploy.tools.git.GitFailedException;
import dev.laurel.deploy.tools.git.GitHistory;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "import-git", description = {"Turn the history of a git repository into metric events.", "",
        "Each commit counts 1 for the metric commits, and its added and deleted lines for lines-changed, at its author "
                + "time, for a user named by the hash of the author's address. A time before 1970 is taken as the first "
                + "moment of 1970, one in the future as now. A server without any ruleset gets one for these metrics; "
                + "another ruleset is left alone and must have them. Run it again after a crash: it goes on, and no "
                + "commit counts twice."})
public final class ImportGitCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "A repository: its working tree or its git folder, bare or not.")
    private Path dir;

    @Option(names = "--progress", paramLabel = "FILE", description = "Where to note how far it is (default: a file in the current folder, named after DIR).")
    private Path progress;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private ServerOptions server;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        CommandLog log = CommandLog.find(kafka.access(dataDir.path()));
        // The histories of a demo belong to nobody's tenant.
        TenantLook.at(log.kafka(), null);
        try (GitHistory history = GitHistory.open(dir); var source = new GitSource(history, InstantSource.system())) {
            if (history.commitCount() == 0) {
                throw new CommandFailed(dir + " has no commits");
            }
            ensureRuleset(out);
            var bar = new ImportRun.Bar("import-git", " commits", 1, history.commitCount());
            var plan = new ImportRun.Plan(progressFile(), null, bar);
            var run = new ImportRun(plan, spec.commandLine().getErr());
            tell(run, out, source, run.run(log, source, new LogImport.Settings(source.importId(), true)));
        } catch (GitFailedException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }

    private void ensureRuleset(PrintWriter out) {
        try (RulesetClient client = server.rulesetClient(dataDir.path())) {
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

    private void tell(ImportRun run, PrintWriter out, GitSource source, ImportResult result) {
        out.printf(Locale.ROOT, "%,d commits of %,d authors: %s%n", source.commits(), source.authors(),
                ImportRun.describe(result));
        if (source.moved() > 0) {
            out.printf(Locale.ROOT, "%,d commits had times before 1970 or in the future%n", source.moved());
        }
        if (!result.complete()) {
            out.flush();
            throw run.stopped("stopped");
        }
        source.mostActiveAuthor().ifPresent(author -> suggestReads(out, author));
        out.flush();
    }

    private void suggestReads(PrintWriter out, String author) {
        out.println("the author with most commits:");
        for (String path : new String[]{"", "/points/xp", "/streak"}) {
            out.println("  curl -H \"X-API-KEY: " + server.keyForShell(dataDir.path()) + "\" " + server.url()
                    + "/v1/users/" + author + path);
        }
    }
}
