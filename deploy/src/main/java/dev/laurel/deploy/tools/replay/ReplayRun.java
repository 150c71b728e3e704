package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.replay.Shadow;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.RulesetsAsIf;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.RulesetTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** One replay as a program: the log is read again beside the live state, the two are compared. Leaves nothing behind. */
final class ReplayRun {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EXAMPLES = 5;

    private final ReplayPlan plan;
    private final Map<String, Object> client;
    private final PrintWriter err;
    private final BooleanSupplier isStopped;
    private final AtomicReference<Throwable> fault = new AtomicReference<>();

    /**
     * @param verdict null where none was asked for
     * @param fillable leaderboards that differ, and can have been full at some time
     */
    record Result(ReplayReport report, StoresLook.Verdict verdict, List<String> fillable) {

        Result {
            fillable = List.copyOf(fillable);
        }
    }

    ReplayRun(ReplayPlan plan, PrintWriter err, BooleanSupplier isStopped) {
        this.plan = plan;
        this.client = plan.kafka().clientProperties();
        this.err = err;
        this.isStopped = isStopped;
    }

    /** @param files get each difference as it is found, and the report at the end */
    Result run(ReportFiles files) throws InterruptedException {
        try (var rulesets = new RulesetTable(client, this::failed);
                var generations = new GenerationTable(client, this::failed);
                var folder = ScratchFolder.in(plan.stateDir())) {
            rulesets.start();
            generations.start();
            rulesets.awaitCaughtUp(PATIENCE);
            generations.awaitCaughtUp(PATIENCE);
            GenerationRecord inForce = generations.inForce();
            Rulesets rules = rulesOf(inForce, rulesets);
            Draft draft = plan.ruleset() == null
                    ? null
                    : Draft.read(plan.ruleset(), rulesets.newest(plan.tenant()), plan.at(), err);
            var generation = new Generation(Generation.ofReport(new SecureRandom().nextInt() & Integer.MAX_VALUE)
                    .number(), inForce.log());
            Rulesets replayed = draft == null ? rules : RulesetsAsIf.always(rulesets, draft.document());
            Shadow shadow = Shadow.start(config(folder.path()), generation, Shadow.Purpose.REPORT, replayed,
                    this::failed);
            try {
                return compare(shadow, inForce.generation(), rules, draft, folder.path(), files);
            } finally {
                shadow.abandon();
            }
        }
    }

    private void failed(Throwable thrown) {
        fault.compareAndSet(null, thrown);
    }

    /** What the generation in force goes by. */
    private static Rulesets rulesOf(GenerationRecord inForce, Rulesets published) {
        Rulesets rules = published;
        for (GenerationRecord.AsIf asIf : inForce.rules()) {
            rules = RulesetsAsIf.since(rules, published.version(asIf.tenant(), asIf.version()));
        }
        return rules;
    }

    private LedgerConfig config(Path folder) {
        Map<String, Object> values = plan.kafka().settings();
        values.put(LedgerConfig.STATE_DIR, folder.resolve("replayed").toString());
        values.put(LedgerConfig.THREADS, Runtime.getRuntime().availableProcessors());
        return new LedgerConfig(values);
    }

    private Result compare(Shadow shadow, Generation live, Rulesets rules, Draft draft, Path folder,
            ReportFiles files) throws InterruptedException {
        var progress = new ReplayProgress(err);
        try (progress;
                var kafka = new KafkaReach(client);
                var liveState = new LiveState(client, live, new RulesetVersions(rules, PATIENCE),
                        shadow.boardLayout(), folder.resolve("live"))) {
            var place = new LivePlace(kafka, live);
            var notes = new ArrayList<String>();
            long missing = missingRecords(kafka, live, place.partitions());
            if (missing > 0) {
                notes.add("The log does not begin with its first record: " + missing
                        + " are gone, and what came of them cannot be replayed.");
            }
            var replayed = new ShadowState(shadow, fault, isStopped);
            var rounds = new Rounds(liveState, place, replayed, progress, isStopped);
            var totals = new ComparisonTotals(plan.top());
            var facts = new FactsLook(liveState, replayed, place.partitions(), plan.at().toEpochMilli(), plan.whom(),
                    totals, files::add, progress, isStopped);
            StoresLook stores = plan.isProof()
                    ? new StoresLook(liveState, replayed, place.partitions(), progress, isStopped)
                    : null;
            Round last = rounds.go(round -> {
                boolean isMoreLeft = stores != null && stores.at(round);
                return facts.at(round) | isMoreLeft;
            });
            if (isStopped.getAsBoolean()) {
                throw new Stopped();
            }
            List<String> fillable = fillable(liveState.newest(plan.tenant()), totals);
            if (!fillable.isEmpty()) {
                notes.add("Who holds the last places of a leaderboard that is or was full (" + String.join(", ", fillable)
                        + ") depends on the order in which users came, which no two readings have in common.");
            }
            if (!last.boardsAtRest()) {
                notes.add("The live leaderboards had not heard everything yet: ranks may be behind.");
            }
            var report = new ReplayReport(draft == null ? "the rules of the time" : draft.file().toString(),
                    draft != null, plan.at(), replayed.records(), replayed.elapsed(), totals, facts.notCompared(),
                    facts.examplesNotCompared(EXAMPLES), notes);
            files.end(report);
            return new Result(report, stores == null ? null : stores.verdict(), fillable);
        }
    }

    /** Leaderboards that differ, though nobody on them does, and can have been full. */
    private static List<String> fillable(CompiledRuleset rules, ComparisonTotals totals) {
        return totals.places().keySet().stream().filter(key -> {
            BoardRules board = rules.board(key);
            return board != null && board.board().maxParticipants() < totals.users();
        }).toList();
    }

    private static long missingRecords(KafkaReach kafka, Generation live, int partitions)
            throws InterruptedException {
        long missing = 0;
        for (long beginning : kafka.beginnings(live.log(), partitions)) {
            missing += beginning;
        }
        return missing;
    }
}
