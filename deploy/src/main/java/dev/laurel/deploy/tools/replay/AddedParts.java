package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.tools.replay.ComparisonRounds.Round;
import dev.laurel.deploy.tools.replay.CopiedState.Extent;
import dev.laurel.deploy.tools.replay.CounterComparisonPass.Counts;
import dev.laurel.deploy.tools.replay.CounterComparisonPass.Source;
import dev.laurel.deploy.tools.replay.StoreComparisonPass.Verdict;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.compare.ComparisonTotals.TenantsKey;
import dev.laurel.processors.generation.GroupProgress.RecordKeys;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the parts of a report that the members of a run have published, and compares the counts of both states, whose counters it copies
 * from all partitions. Used by one thread.
 */
final class AddedParts {

    /** Longer texts are cut: the text is one record. */
    private static final int MAX_TEXT = 1024 * 1024;

    private static final RecordKeys NOTHING = new RecordKeys(Set.of(), false, false);
    private static final RecordKeys SOMETHING = new RecordKeys(Set.of(), true, true);

    private final RunMember member;
    private final @Nullable RulesetDraft draft;
    private final ComparisonTotals totals;
    private final List<String> examples = new ArrayList<>();
    private Verdict verdict = Verdict.NONE;
    private boolean boardsAtRest = true;
    private long records;
    private long readMs;
    private long notCompared;

    AddedParts(RunMember member, @Nullable RulesetDraft draft) {
        this.member = member;
        this.draft = draft;
        this.totals = new ComparisonTotals(member.plan().top());
    }

    /**
     * Writes the report.
     *
     * @param files receive the users partition by partition
     * @param by the name of this host
     */
    RunLog.Entry.Reported report(ReportFiles files, String by, Path folder) throws InterruptedException {
        try (var reader = new RunParts.Reader(member.client(), member.run().runUsers(), member::isStopped)) {
            member.progress().begin("add up the parts", "partitions", member.partitions());
            for (RunLog.Entry.Part part : member.log().parts().values()) {
                add(reader.read(part, files.isEmpty() ? null : files::add));
                member.progress().stepTo(part.partition() + 1L);
            }
            member.progress().end();
        }
        Counts counts = member.plan().selection().users().isEmpty() ? counts(folder) : Counts.NONE;
        SortedSet<TenantsKey> fillable = ReplayRun.fillable(member.liveRules(), totals);
        var report = new ReplayRun.Report(draft == null ? "the rules of the time" : draft.name(), draft != null,
                member.at(), records, Duration.ofMillis(readMs), totals, counts, notCompared,
                examples.stream().limit(ReplayRun.EXAMPLES).toList(),
                ReplayRun.notes(member.plan(), fillable, member.liveProgress().beginnings(), boardsAtRest, counts));
        files.end(report);
        return reported(new ReplayRun.Result(report, member.plan().isProof() ? verdict : null, fillable), by);
    }

    private void add(RunParts.Summary part) {
        totals.add(part.totals());
        records += part.position();
        readMs = Math.max(readMs, part.elapsedMs());
        boardsAtRest &= part.boardsAtRest();
        notCompared += part.notCompared();
        examples.addAll(part.examples());
        if (part.verdict() != null) {
            verdict = verdict.plus(part.verdict());
        }
    }

    private static RunLog.Entry.Reported reported(ReplayRun.Result result, String by) {
        var text = new StringWriter();
        var out = new Terminal(new PrintWriter(text));
        TextReport.print(out, result.report());
        String failure = null;
        try {
            if (result.verdict() != null) {
                FoldVerdict.report(result, result.verdict(), out, false);
            }
        } catch (CommandFailed e) {
            failure = String.valueOf(e.getMessage());
        }
        out.flush();
        return new RunLog.Entry.Reported(by, text.getBuffer().length() <= MAX_TEXT
                ? text.toString()
                : text.getBuffer().substring(0, MAX_TEXT) + "…\n", failure);
    }

    private Counts counts(Path folder) throws InterruptedException {
        try (var live = counters(folder.resolve("live-counters"), true);
                var replayed = counters(folder.resolve("replayed-counters"), false)) {
            int partitions = member.liveProgress().ledger().partitions();
            var pass = new CounterComparisonPass(new Source(live, partitions),
                    new Source(replayed, member.partitions()), () -> ReplayRun.tenants(member.plan(), totals),
                    member.at(), folder.resolve("counters"), ReplayRun.config(member.plan(), folder).rocksDb(),
                    member.progress(), member::isStopped);
            for (int number = 1;; number++) {
                Round round = follow(live, replayed, number);
                boolean isMoreLeft = pass.compare(round);
                member.expectRunning();
                if (!isMoreLeft || round.isLast()) {
                    return pass.counts();
                }
            }
        }
    }

    private CopiedState counters(Path folder, boolean isLive) {
        return new CopiedState(member.client(), isLive ? member.inForce() : member.generation(), Extent.COUNTERS,
                isLive ? member.liveRules() : member.shadow().rulesets(), member.shadow().boardLayout(), folder,
                member::isStopped);
    }

    private Round follow(CopiedState live, CopiedState replayed, int number) throws InterruptedException {
        List<Long> before = member.liveProgress().ledger().committed();
        live.follow(member.progress());
        List<Long> after = member.liveProgress().ledger().committed();
        member.await(after, "follow the log", null);
        replayed.follow(member.progress());
        List<Long> reached = member.reached(member.shadowProgress().ledger().committed());
        var between = new ArrayList<RecordKeys>();
        for (int partition = 0; partition < before.size(); partition++) {
            between.add(member.liveProgress().ledger().isNothingBetween(partition, before.get(partition),
                    Math.max(reached.get(partition), after.get(partition))) ? NOTHING : SOMETHING);
        }
        return new Round(number, number == ComparisonRounds.MAX_ROUNDS, between, true);
    }
}
