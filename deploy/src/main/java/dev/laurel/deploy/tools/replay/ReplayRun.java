package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.Progress;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.tools.replay.CopiedState.Extent;
import dev.laurel.deploy.tools.replay.CounterComparisonPass.Counts;
import dev.laurel.deploy.tools.replay.CounterComparisonPass.Source;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.platform.kafka.TableFolder;
import dev.laurel.processors.core.compare.ComparisonTotals.TenantUsers;
import dev.laurel.processors.core.compare.ComparisonTotals.TenantsKey;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.Generations;
import dev.laurel.processors.generation.ShadowGeneration.Purpose;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.RewrittenRulesets;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a replay: reads the log again beside the live state, compares both, and promotes the result if requested.
 * Leaves nothing else behind. Used by one thread.
 */
final class ReplayRun {

    static final Duration TIMEOUT = Duration.ofSeconds(60);
    static final int EXAMPLES = 5;

    private final Plan plan;
    private final Map<String, Object> client;
    private final Progress progress;
    private final BooleanSupplier isStopped;
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();

    /**
     * @param verdict null: none was requested
     * @param fillable differing leaderboards that may have been full at some time
     */
    record Result(Report report, StoreComparisonPass.@Nullable Verdict verdict,
            Set<TenantsKey> fillable) {

        Result {
            fillable = Set.copyOf(fillable);
        }
    }

    /**
     * The generation in force and the replayed rules.
     *
     * @param rules rules of the generation in force
     * @param draft null: no file was given
     */
    private record Inputs(GenerationRecord inForce, Rulesets rules, Rulesets replayed, @Nullable RulesetDraft draft) {}

    ReplayRun(Plan plan, Progress progress, BooleanSupplier isStopped) {
        this.plan = plan;
        this.client = plan.kafka().clientProperties();
        this.progress = progress;
        this.isStopped = isStopped;
    }

    /**
     * @param files receive differences as they are found, and the report at the end
     * @param onCompared receives the result before anything is promoted; its exception ends the replay
     */
    void run(ReportFiles files, Consumer<Result> onCompared) throws InterruptedException {
        try (var tables = TableFolder.temporaryIn(plan.stateDir());
                var rulesets = new RulesetTable(Topics.RULESETS, client, tables, this::failed);
                var generations = generations()) {
            rulesets.start();
            rulesets.awaitCaughtUp(TIMEOUT);
            RulesetDraft draft = plan.draft() == null
                    ? null
                    : plan.draft().basedOn(rulesets.newest(plan.tenant()), plan.at());
            GenerationRecord inForce = generations.inForce();
            try (GenerationChange change = plan.isPromoted()
                    ? GenerationChange.claim(client, generations, draft, plan, null)
                    : null) {
                // Nodes continue this fold by the same rules, which do not include later versions.
                Rulesets rules = rulesOf(inForce, rulesets);
                Rulesets replayed = change != null
                        ? rulesOf(change.record(), rulesets)
                        : draft == null ? rules : RewrittenRulesets.always(rules, draft.document());
                replay(new Inputs(inForce, rules, replayed, draft), change, files, onCompared);
            }
        }
    }

    /** Abandons the generation of a killed promotion. Returns its number, 0 if there is none. */
    int giveUp() throws InterruptedException {
        try (var generations = generations()) {
            return GenerationChange.giveUp(client, generations);
        }
    }

    /** Ends the copying of former logs into the present one. Returns their number. */
    int endCopying() throws InterruptedException {
        try (var generations = generations()) {
            return GenerationChange.endCopying(client, generations);
        }
    }

    /** Lists topics and groups of former generations. @param deletes whether to delete them too */
    void cleanUp(PrintWriter out, boolean deletes) throws InterruptedException {
        try (var generations = generations()) {
            new GenerationCleanUp(new Generations(client, generations, InstantSource.system()), out).run(deletes);
        }
    }

    /** Returns the generations; the caller closes them. */
    private GenerationTable generations() throws InterruptedException {
        return generations(client, this::failed);
    }

    /** Returns the generations; the caller closes them. */
    static GenerationTable generations(Map<String, Object> client, Consumer<Throwable> onFault)
            throws InterruptedException {
        var generations = new GenerationTable(client, onFault);
        try {
            generations.start();
            generations.awaitCaughtUp(TIMEOUT);
            return generations;
        } catch (RuntimeException | InterruptedException e) {
            generations.close();
            throw e;
        }
    }

    private void failed(Throwable thrown) {
        fault.compareAndSet(null, thrown);
    }

    /** Returns the rules of a generation. */
    static Rulesets rulesOf(GenerationRecord generation, Rulesets published) {
        Rulesets rules = published;
        for (GenerationRecord.AsIf asIf : generation.rules()) {
            Ruleset version = Objects.requireNonNull(published.version(asIf.tenant(), asIf.version()),
                    "a generation names published versions");
            rules = RewrittenRulesets.since(rules, version);
        }
        return rules;
    }

    /** @param change null: the generation is not promoted */
    private void replay(Inputs inputs, @Nullable GenerationChange change, ReportFiles files,
            Consumer<Result> onCompared)
            throws InterruptedException {
        Generation generation = change == null ? ofReport(inputs.inForce()) : change.generation();
        try (var folder = TemporaryFolder.in(plan.stateDir(), "replay-")) {
            ShadowGeneration shadow = ShadowGeneration.start(config(folder.path()), generation,
                    change == null ? Purpose.REPORT : Purpose.PROMOTION, inputs.replayed(), this::failed);
            try {
                String copiedFrom = change == null ? null : change.copiedFrom();
                onCompared.accept(compare(shadow, generation, copiedFrom, inputs, folder.path(), files));
                if (change != null) {
                    shadow.close();
                    change.putInForce(progress, isStopped);
                }
            } finally {
                progress.end();
                if (change == null) {
                    shadow.abandon();
                } else {
                    shadow.close(); // An abandoned generation deletes what the shadow has created.
                }
            }
        }
    }

    private static Generation ofReport(GenerationRecord inForce) {
        int number = Generation.ofReport(new SecureRandom().nextInt() & Integer.MAX_VALUE).number();
        return new Generation(number, inForce.log());
    }

    private LedgerConfig config(Path folder) {
        return config(plan, folder);
    }

    static LedgerConfig config(Plan plan, Path folder) {
        Map<String, Object> values = plan.kafka().settings();
        values.put(LedgerConfig.STATE_DIR, folder.resolve("replayed").toString());
        values.put(LedgerConfig.THREADS, plan.resources().threads());
        values.put(LedgerConfig.ROCKSDB_BYTES, plan.resources().rocksDbBytes());
        return new LedgerConfig(values);
    }

    /** @param copiedFrom log that is copied into that of the generation; null: both have the same log */
    private Result compare(ShadowGeneration shadow, Generation generation, @Nullable String copiedFrom, Inputs inputs,
            Path folder, ReportFiles files) throws InterruptedException {
        Generation inForce = inputs.inForce().generation();
        try (var liveProgress = new GenerationProgress(client, inForce, null, TIMEOUT);
                var replayedProgress = new GenerationProgress(client, generation, copiedFrom, TIMEOUT);
                var live = new CopiedState(client, inForce, Extent.WHOLE,
                        new RulesetVersions(inputs.rules(), TIMEOUT), shadow.boardLayout(), folder.resolve("live"),
                        isStopped)) {
            var shadowed = new ShadowState(shadow, replayedProgress, fault, isStopped);
            ComparedState.Replayed replayed = copiedFrom == null
                    ? shadowed
                    : new WideShadowState(shadowed, replayedProgress.ledger(), replayedProgress.copier(), isStopped);
            var totals = new ComparisonTotals(plan.top());
            List<Integer> partitions = IntStream.range(0, liveProgress.ledger().partitions()).boxed().toList();
            var users = new UserComparisonPass(live, replayed, partitions, plan.at().toEpochMilli(),
                    plan.selection(), totals, files::add, progress, isStopped);
            StoreComparisonPass stores = plan.isProof()
                    ? new StoreComparisonPass(live, replayed, partitions, progress, isStopped)
                    : null;
            CounterComparisonPass counters = plan.selection().users().isEmpty()
                    ? new CounterComparisonPass(new Source(live, partitions.size()),
                            new Source(shadowed, replayedProgress.ledger().partitions()), () -> tenants(plan, totals),
                            plan.at(), folder.resolve("counters"), config(folder).rocksDb(), progress, isStopped)
                    : null; // Counters are of all users.
            ComparisonRounds.Round last = new ComparisonRounds(live, liveProgress, replayed, progress, isStopped)
                    .run(round -> {
                        boolean isMoreLeft = stores != null && stores.compare(round);
                        isMoreLeft |= users.compare(round);
                        return (counters != null && counters.compare(round)) | isMoreLeft;
                    });
            if (isStopped.getAsBoolean()) {
                throw new Stopped();
            }
            SortedSet<TenantsKey> fillable = fillable(live.rulesets(), totals);
            Counts counts = counters == null ? Counts.NONE : counters.counts();
            List<String> notes = notes(plan, fillable, liveProgress.beginnings(), last.boardsAtRest(), counts);
            RulesetDraft draft = inputs.draft();
            var report = new Report(draft == null ? "the rules of the time" : draft.name(),
                    draft != null, plan.at(), plan.isForTenant() ? null : shadowed.records(), shadowed.elapsed(),
                    totals, counts,
                    users.notCompared(),
                    users.examplesNotCompared(EXAMPLES), notes);
            files.end(report);
            return new Result(report, stores == null ? null : stores.verdict(), fillable);
        }
    }

    /** Returns the tenants whose counts are compared. */
    static List<TenantId> tenants(Plan plan, ComparisonTotals totals) {
        TenantId only = plan.selection().tenant();
        return only != null ? List.of(only) : totals.tenants().keySet().stream().map(TenantId::new).toList();
    }

    /** Returns differing leaderboards that may have been full at some time. */
    static SortedSet<TenantsKey> fillable(RulesetVersions rules, ComparisonTotals totals) {
        return totals.entries().keySet().stream().filter(key -> {
            BoardRules board = rules.newest(key.tenant()).board(key.key());
            TenantUsers users = totals.tenants().get(key.tenant().value());
            return board != null && users != null && board.board().maxParticipants() < users.users();
        }).collect(Collectors.toCollection(TreeSet::new));
    }

    static List<String> notes(Plan plan, SortedSet<TenantsKey> fillable, List<Long> beginnings, boolean boardsAtRest,
            Counts counts) {
        var notes = new ArrayList<String>();
        long missing = 0;
        for (long beginning : beginnings) {
            missing += beginning;
        }
        if (missing > 0) {
            notes.add("The log does not begin with its first record: " + (plan.isForTenant() ? "" : missing + " ")
                    + "records are deleted and cannot be replayed.");
        }
        if (!fillable.isEmpty()) {
            notes.add("The last ranks of a leaderboard that is or was full ("
                    + fillable.stream().map(TenantsKey::text).collect(Collectors.joining(", "))
                    + ") depend on the order in which scores arrived, which differs each time the log is read.");
        }
        if (!boardsAtRest) {
            notes.add("The live leaderboards had not processed all scores: ranks may be outdated.");
        }
        if (!counts.isExact()) {
            notes.add("Records arrived while counts were compared: some of them are counted in one state only.");
        }
        if (counts.leftOut() > 0) {
            notes.add("The report has the first " + (counts.series() - counts.leftOut()) + " of " + counts.series()
                    + " series of counts: replay one tenant for the others.");
        }
        return notes;
    }

    /**
     * Summary of a replay.
     *
     * @param rules replayed rules for people: {@code the rules of the time}, or a file
     * @param isWhatIf whether the rules differ from those of the time, so that differences are expected
     * @param at moment at which both states are shown
     * @param commands number of records read from the log; null: the report is for a tenant, which does not see what all have
     * @param elapsed time for reading them
     * @param counts counts of analytics of both states
     * @param notCompared number of users who had new records in every round
     * @param examplesNotCompared some of them
     * @param notes further remarks
     */
    record Report(String rules, boolean isWhatIf, Instant at, @Nullable Long commands, Duration elapsed,
            ComparisonTotals totals, Counts counts, long notCompared, List<String> examplesNotCompared,
            List<String> notes) {

        Report {
            examplesNotCompared = List.copyOf(examplesNotCompared);
            notes = List.copyOf(notes);
        }

        Report withNote(String note) {
            var more = new ArrayList<>(notes);
            more.add(note);
            return new Report(rules, isWhatIf, at, commands, elapsed, totals, counts, notCompared,
                    examplesNotCompared, more);
        }
    }

    /**
     * Parameters of a replay.
     *
     * @param kafka access to Kafka
     * @param draft the rules; null: the rules of the time
     * @param tenant tenant of the draft
     * @param selection users to compare
     * @param isForTenant whether people of one of several tenants read the report, which then has no numbers of the whole log
     * @param isProof whether the live state must equal the fold byte for byte
     * @param partitions new number of partitions of the log; 0 to keep the number
     * @param clock clock of the instance
     * @param at moment at which both states are shown
     * @param top number of users in the report
     * @param stateDir folder for temporary state
     */
    record Plan(KafkaAccess kafka, RulesetDraft.@Nullable Source draft, TenantId tenant,
            UserComparisonPass.UserSelection selection, boolean isForTenant, boolean isProof, boolean isPromoted,
            int partitions, InstantSource clock, Instant at, int top, Path stateDir,
            Resources resources) {}

    /**
     * What a replay may use of the machine.
     *
     * @param threads number of threads that read the log
     * @param rocksDbBytes memory for RocksDB, which all replays and nodes of a process share and must agree on
     */
    record Resources(int threads, long rocksDbBytes) {}

    /** Reports that the operator has stopped a replay before it was complete. */
    static final class Stopped extends CommandFailed {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped; all temporary topics and files are deleted");
        }
    }
}
