package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.tools.replay.StoreComparisonPass.Fault;
import dev.laurel.deploy.tools.replay.StoreComparisonPass.Verdict;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.compare.UserComparison;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.Locale;

/** Reports whether the live state equals the fold of the log, both in the stores and as users see it. */
final class FoldVerdict {

    private static final int BYTES_SHOWN = 48;

    private final ReplayRun.Result result;
    private final ComparisonTotals totals;
    private final Verdict verdict;
    private final long notCompared;

    FoldVerdict(ReplayRun.Result result) {
        this.result = result;
        this.totals = result.report().totals();
        this.verdict = result.verdict();
        this.notCompared = result.report().notCompared();
    }

    /** @throws CommandFailed if it does not, or if that could not be determined */
    void report(PrintWriter out, boolean isQuiet) {
        if (verdict.faults() > 0) {
            if (!isQuiet) {
                verdict.first().stream().limit(BYTES_SHOWN / 4).forEach(fault -> out.println(describe(fault)));
                out.flush();
            }
            throw new CommandFailed(
                    text("the running state is not what the log comes to: %,d of %,d entries differ, the"
                            + " first one %s", verdict.faults(), verdict.entries(), where(verdict.first().getFirst())));
        }
        // Ranks follow from values, which are in the stores, except for the last places of a full leaderboard.
        boolean areRanksSound = result.fillable().containsAll(totals.entries().keySet());
        if (totals.different() > 0 || totals.overtaken() > 0 && !areRanksSound) {
            UserComparison first = totals.largest().isEmpty() ? null : totals.largest().getFirst();
            throw new CommandFailed(text(
                    "the stores are what the log comes to, but %,d users are shown otherwise%s: the"
                            + " leaderboards differ",
                    totals.different() + totals.overtaken(),
                    first == null ? "" : ", the first one " + first.user().text()));
        }
        if (verdict.partitions() > 0 || notCompared > 0) {
            throw new CommandFailed(text(
                    "nothing differs as far as could be seen, but %,d partitions and %,d users moved"
                            + " whenever they were looked at; run it again when less happens",
                    verdict.partitions(),
                    notCompared));
        }
        if (!isQuiet) {
            out.println(
                    text("The running state is the fold of the log: %,d entries of %,d stores are the same, byte for"
                            + " byte.", verdict.entries(), LiveState.LEDGER_STORES.size()));
            out.flush();
        }
    }

    private static String describe(Fault fault) {
        return where(fault) + "\n  running:  " + hex(fault.live()) + "\n  from log: " + hex(fault.replayed());
    }

    private static String where(Fault fault) {
        return (fault.user() == null ? "of no user" : "of user " + fault.user().text()) + " in " + fault.store()
                + ", partition " + fault.partition();
    }

    private static String hex(byte[] bytes) {
        if (bytes == null) {
            return "(nothing)";
        }
        return bytes.length <= BYTES_SHOWN
                ? HexFormat.of().formatHex(bytes)
                : HexFormat.of().formatHex(bytes, 0, BYTES_SHOWN) + "… (" + bytes.length + " bytes)";
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
