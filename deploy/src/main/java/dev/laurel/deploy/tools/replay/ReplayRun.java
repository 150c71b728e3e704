package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.LedgerConfig;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.compare.TenantsKey;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.replay.GenerationPlace;
import dev.laurel.processors.replay.Leftovers;
import dev.laurel.processors.replay.Shadow;
import dev.laurel.processors.replay.Shadow.Purpose;
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
import java.util.function.Consumer;

/**
 * One replay as a program: the log is read again beside the live state, the two are compared, and what was made of it is promoted
 * if that was asked for. Leaves nothing else behind. One thread.
 */
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

    /** What is in force, and what is replayed instead. @param draft null: nothing else */
    private record Sides(GenerationRecord inForce, Rulesets rules, Rulesets replayed, Draft draft) {}

    ReplayRun(ReplayPlan plan, PrintWriter err, BooleanSupplier isStopped) {
        this.plan = plan;
        this.client = plan.kafka().clientProperties();
        this.err = err;
        this.isStopped = isStopped;
    }

    /**
     * @param files get each difference as it is found, and the report at the end
     * @param onCompared gets what came of it, before anything is promoted; its failure ends everything
     */
    void run(ReportFiles files, Consumer<Result> onCompared) throws InterruptedException {
        try (var rulesets = new RulesetTable(client, this::failed);
                var generations = new GenerationTable(client, this::failed)) {
            rulesets.start();
            generations.start();
            rulesets.awaitCaughtUp(PATIENCE);
            generations.awaitCaughtUp(PATIENCE);
            Draft draft = plan.ruleset() == null
                    ? null
                    : Draft.read(plan.ruleset(), rulesets.newest(plan.tenant()), plan.at(), err);
            GenerationRecord inForce = generations.inForce();
            try (GenerationChange change = plan.isPromoted()
                    ? GenerationChange.claim(client, generations, draft, plan)
                    : null) {
                // Nodes go on with what is folded here: by the same rules, which say nothing of versions to come.
                Rulesets rules = rulesOf(inForce, rulesets);
                Rulesets replayed = change != null
                        ? rulesOf(change.record(), rulesets)
                        : draft == null ? rules : RulesetsAsIf.always(rules, draft.document());
                replay(new Sides(inForce, rules, replayed, draft), change, files, onCompared);
            }
        }
    }

    /** What a killed promotion has left behind goes. @return the number of its generation, 0 if there is none */
    int giveUp() throws InterruptedException {
        try (var generations = new GenerationTable(client, this::failed)) {
            generations.start();
            generations.awaitCaughtUp(PATIENCE);
            return GenerationChange.giveUp(client, generations);
        }
    }

    /**
     * What is still written to former logs is no longer copied into the present one.
     *
     * @return how many former logs that are
     */
    int endCopying() throws InterruptedException {
        try (var generations = new GenerationTable(client, this::failed)) {
            generations.start();
            generations.awaitCaughtUp(PATIENCE);
            return GenerationChange.endCopying(client, generations);
        }
    }

    /** What generations that are over have left behind is told, and deleted if that is meant. */
    void cleanUp(PrintWriter out, boolean isMeant) throws InterruptedException {
        try (var generations = new GenerationTable(client, this::failed)) {
            generations.start();
            generations.awaitCaughtUp(PATIENCE);
            new CleanUp(new Leftovers(client, generations), out).run(isMeant);
        }
    }

    private void failed(Throwable thrown) {
        fault.compareAndSet(null, thrown);
    }

    /** What a generation goes by. */
    private static Rulesets rulesOf(GenerationRecord generation, Rulesets published) {
        Rulesets rules = published;
        for (GenerationRecord.AsIf asIf : generation.rules()) {
            rules = RulesetsAsIf.since(rules, published.version(asIf.tenant(), asIf.version()));
        }
        return rules;
    }

    /** @param change null: the generation is only to be looked at */
    private void replay(Sides sides, GenerationChange change, ReportFiles files, Consumer<Result> onCompared)
            throws InterruptedException {
        boolean isPromoted = change != null;
        Generation generation = isPromoted ? change.generation() : ofReport(sides.inForce());
        try (var folder = ScratchFolder.in(plan.stateDir()); var progress = new ReplayProgress(err)) {
            Shadow shadow = Shadow.start(config(folder.path()), generation,
                    isPromoted ? Purpose.PROMOTION : Purpose.REPORT, sides.replayed(), this::failed);
            try {
                String copiedFrom = isPromoted ? change.copiedFrom() : null;
                onCompared.accept(compare(shadow, generation, copiedFrom, sides, folder.path(), files, progress));
                if (isPromoted) {
                    change.putInForce(shadow, progress, isStopped);
                }
            } finally {
                if (isPromoted) {
                    shadow.close(); // whatever it has made goes with the generation, if that is given up
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

    /** @param copiedFrom the log that is copied into that of the generation; null: it is the same */
    private Result compare(Shadow shadow, Generation generation, String copiedFrom, Sides sides, Path folder,
            ReportFiles files,
            ReplayProgress progress)
            throws InterruptedException {
        Generation inForce = sides.inForce().generation();
        try (var place = new GenerationPlace(client, inForce, PATIENCE);
                var replayedPlace = new GenerationPlace(client, generation, copiedFrom, PATIENCE);
                var live = new LiveState(client, inForce, new RulesetVersions(sides.rules(), PATIENCE),
                        shadow.boardLayout(), folder.resolve("live"), isStopped)) {
            var shadowed = new ShadowState(shadow, replayedPlace, fault, isStopped);
            Replayed replayed = copiedFrom == null
                    ? shadowed
                    : new WideShadowState(shadowed, replayedPlace.ledger(), replayedPlace.copier(), isStopped);
            var totals = new ComparisonTotals(plan.top());
            var facts = new FactsLook(live, replayed, place.ledger().partitions(), plan.at().toEpochMilli(),
                    plan.whom(),
                    totals, files::add, progress, isStopped);
            StoresLook stores = plan.isProof()
                    ? new StoresLook(live, replayed, place.ledger().partitions(), progress, isStopped)
                    : null;
            Round last = new Rounds(live, place, replayed, progress, isStopped).go(round -> {
                boolean isMoreLeft = stores != null && stores.at(round);
                return facts.at(round) | isMoreLeft;
            });
            if (isStopped.getAsBoolean()) {
                throw new Stopped();
            }
            List<String> fillable = fillable(live, totals);
            List<String> notes = notes(fillable, place.beginnings(), last);
            Draft draft = sides.draft();
            var report = new ReplayReport(draft == null ? "the rules of the time" : draft.file().toString(),
                    draft != null, plan.at(), shadowed.records(), shadowed.elapsed(), totals, facts.notCompared(),
                    facts.examplesNotCompared(EXAMPLES), notes);
            files.end(report);
            return new Result(report, stores == null ? null : stores.verdict(), fillable);
        }
    }

    /** Leaderboards that differ, and can have been full at some time. */
    private static List<String> fillable(State live, ComparisonTotals totals) {
        return totals.places().keySet().stream().filter(key -> {
            BoardRules board = live.newest(key.tenant()).board(key.key());
            return board != null
                    && board.board().maxParticipants() < totals.tenants().get(key.tenant().value()).users();
        }).map(TenantsKey::text).toList();
    }

    private static List<String> notes(List<String> fillable, List<Long> beginnings, Round last) {
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
            notes.add("Who holds the last places of a leaderboard that is or was full (" + String.join(", ", fillable)
                    + ") depends on the order in which users came, which no two readings have in common.");
        }
        if (!last.boardsAtRest()) {
            notes.add("The live leaderboards had not heard everything yet: ranks may be behind.");
        }
        return notes;
    }
}
