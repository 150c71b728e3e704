package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.GracefulStop;
import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "replay",
        description = {
            "Replay the whole log beside the running state, and report the differences.",
            "",
            "With --ruleset FILE: what would users have if these rules had always been in force? The file need not be"
                    + " published, and is not. With --from-scratch: does the running state equal, byte for byte, the fold"
                    + " of the log under the rules of the time? Without either: the same question about what users see."
                    + " Nothing is sent: no webhooks, no messages, no replies. The running state is only read, and events"
                    + " may continue to arrive."
        })
public final class ReplayCommand extends ToolCommand {
    private static final int MAX_TOP = 100_000;
    private static final int MAX_ID = 100;
    private static final String IN_FORCE = "The replay is in force now; nothing that arrived meanwhile is lost.";

    @Option(
            names = "--ruleset",
            paramLabel = "FILE",
            description =
                    "Replay with the rules of this file, as for 'ruleset apply', for one tenant (--tenant). Nothing is"
                            + " published.")
    private @Nullable Path ruleset;

    @Option(
            names = "--tenant",
            paramLabel = "ID",
            description =
                    "Compare users of this tenant only (default: all users; with --ruleset: users without a tenant).")
    private @Nullable String tenant;

    @Option(
            names = "--from-scratch",
            fallbackValue = "true",
            description =
                    "Verify that the running state equals the fold of the log; otherwise exit code 1 and the first"
                            + " difference.")
    private boolean fromScratch;

    @Option(
            names = "--promote",
            fallbackValue = "true",
            description = "Afterwards put the replayed state in force; the nodes take it over while events continue to"
                    + " arrive. With --ruleset, only if the file equals the published ruleset.")
    private boolean promote;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description =
                    "With --promote: continue with a wider log of N partitions, a multiple of the present number.")
    private int partitions;

    @Option(
            names = "--end-copying",
            fallbackValue = "true",
            description = "Replay nothing, but end the copying of a former log into the wider one.")
    private boolean endCopying;

    @Option(
            names = "--give-up",
            fallbackValue = "true",
            description = "Replay nothing, but give up a promotion that was interrupted by a kill.")
    private boolean giveUp;

    @Option(
            names = "--clean",
            fallbackValue = "true",
            description =
                    "Replay nothing, but list topics and groups that former generations have left in Kafka, and delete"
                            + " them with --yes.")
    private boolean clean;

    @Option(names = "--yes", fallbackValue = "true", description = "With --clean: delete it.")
    private boolean yes;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "Write the report as JSON, with every differing user and all counts; '-' writes to standard output"
                            + " instead of the table.")
    private @Nullable String json;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description =
                    "Write the report as CSV, with one line per user and difference, and per period of each series of"
                            + " counts that differs; '-' writes to standard output instead of the table.")
    private @Nullable String csv;

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many users the table lists, beginning with the largest differences (default:"
                    + " ${DEFAULT-VALUE}).")
    private int top;

    @Option(names = "--user", paramLabel = "ID", arity = "1..*", description = "Compare these users only.")
    private List<String> users = List.of();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description =
                    "Show both states as of this time, such as 2026-11-22T10:15:00Z (default: now; for an instance"
                            + " with a test clock, its time).")
    private @Nullable Instant at;

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description = "Folder for temporary state, about twice the size of the state (default: --data-dir, or the"
                    + " current folder).")
    private @Nullable Path stateDir;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description =
                    "Share the replay with all processes that are given the same id and the same options: each reads"
                            + " some partitions of the log, and one of them writes the report.")
    private @Nullable String id;

    @Override
    protected int work() throws InterruptedException {
        ReplayPlan plan = plan();
        PrintWriter out = out();
        try (var ending = new GracefulStop();
                var files = new ReportFiles(Long.MAX_VALUE);
                var progress = new ProgressReporter(err())) {
            var run = new ReplayJob(plan, progress, ending::isStopped);
            if (giveUp) {
                int number = run.change(GenerationChange::giveUp);
                report(
                        out,
                        number == 0
                                ? "nothing to give up: no generation is under way"
                                : "gave up generation " + number);
            } else if (endCopying) {
                int logs = run.change(GenerationChange::endCopying);
                report(
                        out,
                        logs == 0
                                ? "nothing to end: no log is being copied"
                                : "records written to a former log from now on are not read by any process");
            } else if (clean) {
                run.change(generations -> generations.cleanUp(out, yes));
            } else {
                if (id == null) {
                    open(files, out); // The only process that may write them finds out at once if it cannot.
                }
                run.run(() -> id == null ? files : open(files, out), outcome -> report(out, outcome));
                if (promote) {
                    report(out, IN_FORCE);
                }
            }
            return 0;
        } catch (UncheckedIOException e) {
            throw new CommandFailed(String.valueOf(e.getMessage()), e);
        }
    }

    private ReportFiles open(ReportFiles files, PrintWriter out) {
        files.add(json, out, JsonReport::new);
        files.add(csv, out, CsvReport::new);
        return files;
    }

    private boolean isTableShown() {
        return !"-".equals(json) && !"-".equals(csv);
    }

    private void report(PrintWriter out, String line) {
        if (isTableShown()) {
            out.println(line);
            out.flush();
        }
    }

    private void report(PrintWriter out, MergedReport.Outcome outcome) {
        if (isTableShown()) {
            out.print(outcome.text());
            out.flush();
        }
        if (outcome.report() == null && hasFiles()) {
            err().println("the report is on " + outcome.reported().by() + ", which has added it up");
        }
    }

    private boolean hasFiles() {
        return json != null || csv != null;
    }

    private ReplayPlan plan() {
        expect(
                !fromScratch || ruleset == null,
                "--from-scratch verifies the state under the rules of the time; remove --ruleset");
        expect(partitions == 0 || promote, "--partitions requires --promote");
        expect(
                partitions == 0 || !fromScratch,
                "--from-scratch compares bytes that contain offsets, which differ in a wider log: remove it, and"
                        + " verify the state afterwards");
        expect(top >= 0 && top <= MAX_TOP, "--top must be 0 to " + MAX_TOP + ", is " + top);
        expect(!"-".equals(json) || !"-".equals(csv), "only one of --json and --csv can go to standard output");
        expect(
                !(clean && giveUp) && (clean || !yes),
                "--yes requires --clean, and --clean cannot be combined with --give-up");
        if (id != null) {
            expect(
                    !clean && !giveUp && !endCopying,
                    "--id cannot be combined with --clean, --give-up or --end-copying");
            expect(
                    !id.isBlank() && id.length() <= MAX_ID,
                    "--id must have 1 to " + MAX_ID + " characters, has " + id.length());
        }
        valid("--tenant: ", () -> new TenantId(tenant == null ? "" : tenant));
        KafkaAccess access = connection.kafka();
        KafkaClients.expectReachable(access.bootstrapServers());
        // One tenant may have the data without a tenant.
        String given = tenant;
        TenantId ofRules = given == null || given.isEmpty()
                ? TenantId.NONE
                : AccessTable.read(access, table -> table.index().idOf(given));
        TenantId compared = tenant == null && ruleset == null ? null : ofRules;
        var selection = new ReplayPlan.UserSelection(
                compared,
                users.stream()
                        .map(id -> new UserKey(ofRules, valid("--user: ", () -> new UserId(id))))
                        .collect(Collectors.toUnmodifiableSet()));
        InstantSource clock = connection.clock();
        return new ReplayPlan(
                access,
                ruleset == null ? null : CandidateRuleset.file(ruleset, err()),
                ofRules,
                selection,
                false,
                fromScratch,
                promote,
                hasFiles(),
                partitions,
                clock,
                (at == null ? clock.instant() : at).truncatedTo(ChronoUnit.MILLIS),
                top,
                workFolder(),
                new ReplayPlan.Resources(
                        Runtime.getRuntime().availableProcessors(), BoundedRocksDb.DEFAULT_MEMORY_BYTES),
                id == null ? null : new ReplayPlan.Sharing(id, shared(ofRules, compared == null)));
    }

    /** Returns the options in which all processes that share the replay must agree, in the order in which they are checked. */
    private Map<String, String> shared(TenantId ofRules, boolean isOfAll) {
        var options = new LinkedHashMap<String, String>();
        options.put("--tenant", isOfAll ? "all" : "of " + ofRules.value());
        options.put("--from-scratch", Boolean.toString(fromScratch));
        options.put("--promote", Boolean.toString(promote));
        options.put("--partitions", Integer.toString(partitions));
        options.put("--user", users.stream().sorted().toList().toString());
        options.put("--top", Integer.toString(top));
        options.put("--json", json == null ? "" : json);
        options.put("--csv", csv == null ? "" : csv);
        if (at != null) {
            options.put("--at", at.truncatedTo(ChronoUnit.MILLIS).toString());
        }
        return options;
    }

    private Path workFolder() {
        if (stateDir != null) {
            return stateDir;
        }
        return Files.isDirectory(connection.dataDir()) ? connection.dataDir() : Path.of("");
    }
}
