package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.KafkaAccess;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "replay", description = {"Read the whole log again beside the running state, and tell what differs.",
        "",
        "With --ruleset FILE: what would everybody have if these rules had always been in force? The file need not be, and is "
                + "not, published. With --from-scratch: is the running state, byte for byte, what the log comes to under the "
                + "rules of the time? Without either: the same question, asked of what people see. Nobody is told anything: "
                + "no webhooks, no messages, no answers; the running state is only read, and events may go on to arrive."})
public final class ReplayCommand implements Runnable {
    private static final int MAX_TOP = 100_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--ruleset", paramLabel = "FILE", description = "The rules to go by, as a file that 'ruleset apply' would take; for one tenant (--tenant). Nothing is published.")
    private Path ruleset;

    @Option(names = "--tenant", paramLabel = "ID", description = "Compare users of this tenant only (default: of all; --ruleset: those of no tenant).")
    private String tenant;

    @Option(names = "--from-scratch", fallbackValue = "true", description = "Prove that the running state is the fold of the log; exit code 1 and the first difference if it is not.")
    private boolean fromScratch;

    @Option(names = "--promote", fallbackValue = "true", description = "Afterwards put the replayed state in force; the nodes take it over while events go on to arrive. With --ruleset only if the file is what is published.")
    private boolean promote;

    @Option(names = "--partitions", paramLabel = "N", description = "With --promote: go on with a wider log, of N partitions of users; a multiple of those that it has.")
    private int partitions;

    @Option(names = "--end-copying", fallbackValue = "true", description = "Replay nothing, but end the copying of what is still written to a former log into the wider one.")
    private boolean endCopying;

    @Option(names = "--give-up", fallbackValue = "true", description = "Replay nothing, but give up a promotion that was killed half-way.")
    private boolean giveUp;

    @Option(names = "--clean", fallbackValue = "true", description = "Replay nothing, but tell what generations that are over have left in Kafka, topics and groups, and with --yes delete it.")
    private boolean clean;

    @Option(names = "--yes", fallbackValue = "true", description = "With --clean: delete it.")
    private boolean yes;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the report for machines, with every user who differs; '-': to standard output, instead of the table.")
    private String json;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write one line per user and difference; '-': to standard output, instead of the table.")
    private String csv;

    @Option(names = "--top", paramLabel = "N", defaultValue = "20", description = "How many users the table names, those with the largest differences (default: ${DEFAULT-VALUE}).")
    private int top;

    @Option(names = "--user", paramLabel = "ID", arity = "1..*", description = "Compare these users only.")
    private List<String> users = List.of();

    @Option(names = "--at", paramLabel = "TIME", description = "Show both states as of this time, such as 2026-11-22T10:15:00Z (default: now; of an instance with a test clock, the time that shows).")
    private Instant at;

    @Option(names = "--state-dir", paramLabel = "DIR", description = "Where to work; takes about twice the disk that the state takes (default: --data-dir, or the current folder).")
    private Path stateDir;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        ReplayPlan plan = plan();
        PrintWriter out = spec.commandLine().getOut();
        try (var ending = new GracefulEnd(); var files = new ReportFiles()) {
            var run = new ReplayRun(plan, spec.commandLine().getErr(), ending::isStopped);
            if (giveUp) {
                int number = run.giveUp();
                tell(out, number == 0
                        ? "nothing to give up: no generation is under way"
                        : "gave up generation " + number);
                return;
            }
            if (endCopying) {
                int logs = run.endCopying();
                tell(out, logs == 0
                        ? "nothing to end: no log is copied"
                        : "what is written to a former log from now on is not read by anybody");
                return;
            }
            if (clean) {
                run.cleanUp(out, yes);
                return;
            }
            files.add(json, out, JsonReport::new);
            files.add(csv, out, CsvReport::new);
            run.run(files, result -> tell(out, result));
            if (promote) {
                tell(out, "The replay is in force now; nothing that arrived meanwhile is lost.");
            }
        } catch (UncheckedIOException e) {
            throw new CommandFailed("cannot write the report: " + e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted", e);
        }
    }

    private boolean isTableShown() {
        return !"-".equals(json) && !"-".equals(csv);
    }

    private void tell(PrintWriter out, String line) {
        if (isTableShown()) {
            out.println(line);
            out.flush();
        }
    }

    private void tell(PrintWriter out, ReplayRun.Result result) {
        if (isTableShown()) {
            TextReport.print(out, result.report());
        }
        if (result.verdict() != null) {
            new Proof(result).tell(out, !isTableShown());
        }
    }

    private ReplayPlan plan() {
        if (fromScratch && ruleset != null) {
            throw new ParameterException(spec.commandLine(),
                    "--from-scratch is about the rules of the time; leave out --ruleset");
        }
        if (partitions != 0 && (!promote || fromScratch)) {
            throw new ParameterException(spec.commandLine(), promote
                    ? "--from-scratch compares bytes that name places in the log, which are others in a wider one: "
                            + "leave it out, and prove it afterwards"
                    : "--partitions goes with --promote");
        }
        if (top < 0 || top > MAX_TOP) {
            throw new ParameterException(spec.commandLine(), "--top must be 0 to " + MAX_TOP + ", is " + top);
        }
        if ("-".equals(json) && "-".equals(csv)) {
            throw new ParameterException(spec.commandLine(), "only one of --json and --csv can go to standard output");
        }
        if (clean && giveUp || yes && !clean) {
            throw new ParameterException(spec.commandLine(), "--yes goes with --clean, and --clean not with --give-up");
        }
        TenantId ofRules = tenantOf(tenant == null ? "" : tenant);
        TenantId compared = tenant == null && ruleset == null ? null : ofRules;
        var whom = new FactsLook.Whom(compared, users.stream().map(id -> userOf(ofRules, id))
                .collect(Collectors.toUnmodifiableSet()));
        KafkaAccess access = kafka.access(dataDir.path());
        KafkaOptions.expectReachable(access.bootstrapServers());
        InstanceClock clock = InstanceClock.of(isDataDirMeant() ? dataDir.path() : null);
        return new ReplayPlan(access, ruleset, ofRules, whom, fromScratch, promote, partitions, clock,
                (at == null ? clock.instant() : at).truncatedTo(ChronoUnit.MILLIS), top, workIn());
    }

    /** With --kafka, the folder that happens to lie here may be another instance's. */
    private boolean isDataDirMeant() {
        return !kafka.isGiven() || spec.commandLine().getParseResult().hasMatchedOption("--data-dir");
    }

    private Path workIn() {
        if (stateDir != null) {
            return stateDir;
        }
        return Files.isDirectory(dataDir.path()) ? dataDir.path() : Path.of("");
    }

    private TenantId tenantOf(String id) {
        try {
            return new TenantId(id);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--tenant: " + e.getMessage(), e);
        }
    }

    private UserKey userOf(TenantId ofTenant, String id) {
        try {
            return new UserKey(ofTenant, new UserId(id));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--user: " + e.getMessage(), e);
        }
    }
}
