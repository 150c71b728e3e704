package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.RulesetTable;
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
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.RulesetsAsIf;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs a replay: reads the log again beside the live state, compares both, and promotes the result if requested.
 * Leaves nothing else behind. Used by one thread.
 */
final class ReplayRun {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int EXAMPLES = 5;

    private final Plan plan;
    private final Map<String, Object> client;
    private final PrintWriter err;
    private final BooleanSupplier isStopped;
    private final AtomicReference<Throwable> fault = new AtomicReference<>();

    /**
     * @param verdict null if none was requested
     * @param fillable differing leaderboards that may have been full at some time
     */
    record Result(ReplayReport report, StoreComparisonPass.Verdict verdict, Set<TenantsKey> fillable) {

        Result {
            fillable = Set.copyOf(fillable);
        }
    }

    /**
     * The generation in force and the replayed rules.
     *
     * @param draft null if no file was given
     */
    private record Sides(GenerationRecord inForce, Rulesets rules, Rulesets replayed, RulesetDraft draft) {}

    ReplayRun(Plan plan, PrintWriter err, BooleanSupplier isStopped) {
        this.plan = plan;
        this.client = plan.kafka().clientProperties();
        this.err = err;
        this.isStopped = isStopped;
    }

    /**
     * @param files receive differences as they are found, and the report at the end
     * @param onCompared receives the result before anything is promoted; its exception ends the replay
     */
    void run(ReportFiles files, Consumer<Result> onCompared) throws InterruptedException {
        try (var rulesets = new RulesetTable(client, this::failed);
                var generations = new GenerationTable(client, this::failed)) {
            rulesets.start();
            generations.start();
            rulesets.awaitCaughtUp(TIMEOUT);
            generations.awaitCaughtUp(TIMEOUT);
            RulesetDraft draft = plan.ruleset() == null
                    ? null
                    : RulesetDraft.read(plan.ruleset(), rulesets.newest(plan.tenant()), plan.at(), err);
            GenerationRecord inForce = generations.inForce();
            try (GenerationChange change = plan.isPromoted()
                    ? GenerationChange.claim(client, generations, draft, plan)
                    : null) {
                // Nodes continue this fold by the same rules, which do not include later versions.
                Rulesets rules = rulesOf(inForce, rulesets);
                Rulesets replayed = change != null
                        ? rulesOf(change.record(), rulesets)
                        : draft == null ? rules : RulesetsAsIf.always(rules, draft.document());
                replay(new Sides(inForce, rules, replayed, draft), change, files, onCompared);
            }
        }
    }

    /** Abandons the generation of a killed promotion. Returns its number, 0 if there is none. */
    int giveUp() throws InterruptedException {
        try (var generations = new GenerationTable(client, this::failed)) {
            generations.start();
            generations.awaitCaughtUp(TIMEOUT);
            return GenerationChange.giveUp(client, generations);
        }
    }

    /** Ends the copying of former logs into the present one. Returns their number. */
    int endCopying() throws InterruptedException {
        try (var generations = new GenerationTable(client, this::failed)) {
            generations.start();
            generations.awaitCaughtUp(TIMEOUT);
            return GenerationChange.endCopying(client, generations);
        }
    }

    /** Lists, and deletes if {@code isMeant}, what former generations have left behind. */
    void cleanUp(PrintWriter out, boolean isMeant) throws InterruptedException {
        try (var generations = new GenerationTable(client, this::failed)) {
            generations.start();
            generations.awaitCaughtUp(TIMEOUT);
            new GenerationCleanUp(new Generations(client, generations, InstantSource.system()), out).run(isMeant);
        }
    }

    private void failed(Throwable thrown) {
        fault.compareAndSet(null, thrown);
    }

    /** Returns the rules of a generation. */
    private static Rulesets rulesOf(GenerationRecord generation, Rulesets published) {
        Rulesets rules = published;
        for (GenerationRecord.AsIf asIf : generation.rules()) {
            rules = RulesetsAsIf.since(rules, published.version(asIf.tenant(), asIf.version()));
        }
        return rules;
    }

    /** @param change null if the generation is not to be promoted */
    private void replay(Sides sides, GenerationChange change, ReportFiles files, Consumer<Result> onCompared)
            throws InterruptedException {
        boolean isPromoted = change != null;
        Generation generation = isPromoted ? change.generation() : ofReport(sides.inForce());
        try (var folder = TemporaryFolder.in(plan.stateDir(), "replay-"); var progress = new ProgressReporter(err)) {
            ShadowGeneration shadow = ShadowGeneration.start(config(folder.path()), generation,
                    isPromoted ? Purpose.PROMOTION : Purpose.REPORT, sides.replayed(), this::failed);
            try {
                String copiedFrom = isPromoted ? change.copiedFrom() : null;
                onCompared.accept(compare(shadow, generation, copiedFrom, sides, folder.path(), files, progress));
                if (isPromoted) {
                    change.putInForce(shadow, progress, isStopped);
                }
            } finally {
                if (isPromoted) {
                    shadow.close(); // An abandoned generation deletes what the shadow has created.
                } else {
                    shadow.abandon();
                }
            }
        }
    }

    private static Generation ofReport(GenerationRecord inForce) {
        int number = Generation.ofReport(new SecureRandom().nextInt() & Integer.MAX_VALUE).number();
        return new Generation(number, inForce.log());
    }

    private LedgerConfig config(Path folder) {
        Map<String, Object> values = plan.kafka().settings();
        values.put(LedgerConfig.STATE_DIR, folder.resolve("replayed").toString());
        values.put(LedgerConfig.THREADS, Runtime.getRuntime().availableProcessors());
        return new LedgerConfig(values);
    }

    /** @param copiedFrom log that is copied into that of the generation; null if it is the same */
    private Result compare(ShadowGeneration shadow, Generation generation, String copiedFrom, Sides sides, Path folder,
            ReportFiles files,
            ProgressReporter progress)
            throws InterruptedException {
        Generation inForce = sides.inForce().generation();
        try (var place = new GenerationProgress(client, inForce, TIMEOUT);
                var replayedPlace = new GenerationProgress(client, generation, copiedFrom, TIMEOUT);
                var live = new LiveState(client, inForce, new RulesetVersions(sides.rules(), TIMEOUT),
                        shadow.boardLayout(), folder.resolve("live"), isStopped)) {
            var shadowed = new ShadowState(shadow, replayedPlace, fault, isStopped);
            ComparedState.Replayed replayed = copiedFrom == null
                    ? shadowed
                    : new WideShadowState(shadowed, replayedPlace.ledger(), replayedPlace.copier(), isStopped);
            var totals = new ComparisonTotals(plan.top());
            var facts = new UserComparisonPass(live, replayed, place.ledger().partitions(), plan.at().toEpochMilli(),
                    plan.whom(),
                    totals, files::add, progress, isStopped);
            StoreComparisonPass stores = plan.isProof()
                    ? new StoreComparisonPass(live, replayed, place.ledger().partitions(), progress, isStopped)
                    : null;
            ComparisonRounds.Round last = new ComparisonRounds(live, place, replayed, progress, isStopped).go(round -> {
                boolean isMoreLeft = stores != null && stores.at(round);
                return facts.at(round) | isMoreLeft;
            });
            if (isStopped.getAsBoolean()) {
                throw new Stopped();
            }
            SortedSet<TenantsKey> fillable = fillable(live, totals);
            List<String> notes = notes(fillable, place.beginnings(), last);
            RulesetDraft draft = sides.draft();
            var report = new ReplayReport(draft == null ? "the rules of the time" : draft.file().toString(),
                    draft != null, plan.at(), shadowed.records(), shadowed.elapsed(), totals, facts.notCompared(),
                    facts.examplesNotCompared(EXAMPLES), notes);
            files.end(report);
            return new Result(report, stores == null ? null : stores.verdict(), fillable);
        }
    }

    /** Returns differing leaderboards that may have been full at some time. */
    private static SortedSet<TenantsKey> fillable(ComparedState live, ComparisonTotals totals) {
        return totals.entries().keySet().stream().filter(key -> {
            BoardRules board = live.newest(key.tenant()).board(key.key());
            return board != null
                    && board.board().maxParticipants() < totals.tenants().get(key.tenant().value()).users();
        }).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> notes(SortedSet<TenantsKey> fillable, List<Long> beginnings, ComparisonRounds.Round last) {
        var notes = new ArrayList<String>();
        long missing = 0;
        for (long beginning : beginnings) {
            missing += beginning;
        }
        if (missing > 0) {
            notes.add("The log does not begin with its first record: " + missing
                    + " are gone, and what came of them cannot be replayed.");
        }
        if (!fillable.isEmpty()) {
            notes.add("Who holds the last places of a leaderboard that is or was full (" + fillable.stream().map(TenantsKey::text).collect(Collectors.joining(", "))
                    + ") depends on the order in which users came, which no two readings have in common.");
        }
        if (!last.boardsAtRest()) {
            notes.add("The live leaderboards had not heard everything yet: ranks may be behind.");
        }
        return notes;
    }

    /**
     * Parameters of a replay.
     *
     * @param kafka access to Kafka
     * @param ruleset file with rules; null for the rules of the time
     * @param tenant tenant of the file
     * @param whom users to compare
     * @param isProof whether the live state must equal the fold byte for byte
     * @param partitions new number of partitions of the log; 0 to keep the number
     * @param clock clock of the instance
     * @param at moment at which both states are shown
     * @param top number of users in the report
     * @param stateDir folder for temporary state
     */
    record Plan(KafkaAccess kafka, Path ruleset, TenantId tenant, UserComparisonPass.Whom whom, boolean isProof,
            boolean isPromoted, int partitions, InstantSource clock, Instant at, int top, Path stateDir) {}

    /** Reports that the operator has ended a replay before it was complete. */
    static final class Stopped extends CommandFailed {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped; nothing is left behind");
        }
    }
}
