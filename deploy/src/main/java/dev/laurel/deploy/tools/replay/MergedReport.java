package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.ComparisonTotals;
import dev.laurel.core.compare.ComparisonTotals.Sums;
import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.tools.replay.CopiedState.Extent;
import dev.laurel.deploy.tools.replay.CounterComparisonPass.Source;
import dev.laurel.deploy.tools.replay.ReplayLog.Entry;
import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.deploy.tools.replay.ReplayReport.Verdict;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.key.TenantId;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the parts of a report that the members of a replay have published, and compares the counts of both states. Used by one thread.
 */
final class MergedReport {

    /** Longer texts are cut in the log: the text is a part of one record. */
    private static final int MAX_TEXT = 1024 * 1024;

    private final ReplayMember member;
    private final ComparisonTotals totals;
    private final List<String> examples = new ArrayList<>();
    private Verdict verdict = Verdict.NONE;
    private boolean boardsAtRest = true;
    private long records;
    private long readMs;
    private long notCompared;

    /**
     * The report of a replay.
     *
     * @param text for people
     * @param report null: another process has added it up, and written the files
     */
    record Outcome(
            Entry.Reported reported, String text, @Nullable ReplayReport report) {}

    MergedReport(ReplayMember member) {
        this.member = member;
        this.totals = new ComparisonTotals(member.plan().top());
    }

    /**
     * Writes the report.
     *
     * @param files receive the users partition by partition
     * @param folder empty folder for the counters
     */
    Outcome report(ReportFiles files, Path folder) throws InterruptedException {
        try (var reader = new ReportParts.Reader(member.client(), member.log().topic(), member::isStopped)) {
            member.progress().begin("add up the parts", "partitions", member.partitions());
            for (Entry.Part part : member.log().parts().values()) {
                add(reader.read(part, files::add));
                member.progress().stepTo(part.partition() + 1L);
            }
            member.progress().end();
        }
        Counts counts = member.plan().selection().users().isEmpty() ? counts(folder) : Counts.NONE;
        CandidateRuleset draft = member.inputs().draft();
        Sums sums = totals.sums();
        List<String> notes = notes(counts);
        notes.addAll(files.notes());
        var report = new ReplayReport(
                draft == null ? "the rules of the time" : draft.name(),
                draft != null,
                member.at(),
                member.plan().isForTenant() ? null : records,
                Duration.ofMillis(readMs),
                sums,
                counts,
                notCompared,
                examples.stream().limit(ReplayReport.EXAMPLES).toList(),
                notes);
        files.end(report);
        return outcome(report);
    }

    private void add(ReportParts.Summary part) {
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

    private List<String> notes(Counts counts) throws InterruptedException {
        var notes = new ArrayList<String>();
        long missing = member.live().ledger().beginnings().stream()
                .mapToLong(Long::longValue)
                .sum();
        if (missing > 0) {
            notes.add("The log does not begin with its first record: "
                    + (member.plan().isForTenant() ? "" : missing + " ")
                    + "records are deleted and cannot be replayed.");
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

    private Outcome outcome(ReplayReport report) {
        var text = new StringWriter();
        var out = new Terminal(new PrintWriter(text));
        TextReport.print(out, report);
        String failure = null;
        try {
            if (member.plan().isProof()) {
                FoldVerification.report(report, verdict, out);
            }
        } catch (CommandFailed e) {
            failure = String.valueOf(e.getMessage());
        }
        out.flush();
        String whole = text.toString();
        String cut = whole.length() <= MAX_TEXT ? whole : whole.substring(0, MAX_TEXT) + "…\n";
        return new Outcome(
                new Entry.Reported(member.inputs().begun().withoutDraft(), hostName(), cut, failure), whole, report);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "another host";
        }
    }

    private Counts counts(Path folder) throws InterruptedException {
        try (var live = member.copyLive(Extent.COUNTERS, folder, "live-counters");
                var copied = member.copyReplayed(Extent.COUNTERS, folder, "replayed-counters")) {
            var pass = new CounterComparisonPass(
                    new Source(live, member.live().ledger().partitions()),
                    new Source(
                            copied == null ? new MemberComparison.Shadow(member, null) : copied, member.partitions()),
                    this::tenants,
                    member.at(),
                    folder.resolve("counters"),
                    member.rocksDb(),
                    member.progress(),
                    member::isStopped);
            var counts = new ArrayList<Counts>();
            boolean isCompared = new ComparisonRounds(member, live, copied, Set.of())
                    .run(member::allPartitions, round -> {
                        counts.add(pass.compare(round));
                        member.expectRunning();
                        return !counts.getLast().isExact();
                    });
            if (!isCompared) {
                throw new CommandFailed("the replay did not stop at its offsets within "
                        + ReplayMember.HOLD_TIMEOUT.toMinutes() + " minutes");
            }
            return counts.getLast();
        }
    }

    /** Returns the tenants whose counts are compared. */
    private List<TenantId> tenants() {
        TenantId only = member.plan().selection().tenant();
        return only != null
                ? List.of(only)
                : totals.sums().tenants().keySet().stream().map(TenantId::new).toList();
    }
}
