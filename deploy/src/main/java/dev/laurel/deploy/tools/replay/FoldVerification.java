package dev.laurel.deploy.tools.replay;

import static dev.laurel.deploy.tools.replay.TextReport.text;

import dev.laurel.core.compare.ComparisonTotals.Sums;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.tools.replay.ReplayReport.Mismatch;
import dev.laurel.deploy.tools.replay.ReplayReport.Verdict;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.processors.store.users.UserStores;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports whether the live state equals the fold of the log, both in the stores and as users see it. */
final class FoldVerification {

    private static final int MAX_BYTES_SHOWN = 48;
    private static final int MAX_MISMATCHES_SHOWN = 12;

    private FoldVerification() {}

    /**
     * @throws CommandFailed if it does not, or if that could not be determined
     */
    static void report(ReplayReport report, Verdict verdict, PrintWriter out) {
        Sums totals = report.totals();
        long notCompared = report.notCompared();
        if (verdict.mismatches() > 0) {
            verdict.first().stream()
                    .limit(MAX_MISMATCHES_SHOWN)
                    .forEach(mismatch -> describe(mismatch).forEach(out::println));
            throw new CommandFailed(text(
                    "the running state is not the fold of the log: %,d of %,d entries differ, the" + " first one %s",
                    verdict.mismatches(),
                    verdict.entries(),
                    where(verdict.first().getFirst())));
        }
        if (totals.different() > 0 || totals.onlyOtherRank() > 0) {
            String first = totals.largest().stream()
                    .limit(1)
                    .map(UserComparison::user)
                    .map(user -> ", the first one " + user.text())
                    .findFirst()
                    .orElse("");
            throw new CommandFailed(text(
                    "the stores are the fold of the log, but %,d users see something different%s:"
                            + " the leaderboards differ",
                    totals.different() + totals.onlyOtherRank(), first));
        }
        if (verdict.partitions() > 0 || notCompared > 0) {
            throw new CommandFailed(text(
                    "no difference was found, but %,d partitions and %,d users had new records in"
                            + " every round and were not compared; run it again at a quieter time",
                    verdict.partitions(), notCompared));
        }
        out.println(text(
                "The running state is the fold of the log: %,d entries of %,d stores are the same, byte" + " for byte.",
                verdict.entries(), UserStores.NAMES.size()));
    }

    private static List<String> describe(Mismatch mismatch) {
        return List.of(
                where(mismatch), "  running:  " + hex(mismatch.live()), "  from log: " + hex(mismatch.replayed()));
    }

    private static String where(Mismatch mismatch) {
        return (mismatch.user() == null
                        ? "of no user"
                        : "of user " + mismatch.user().text()) + " in " + mismatch.store() + ", partition "
                + mismatch.partition();
    }

    private static String hex(byte @Nullable [] bytes) {
        if (bytes == null) {
            return "(nothing)";
        }
        return bytes.length <= MAX_BYTES_SHOWN
                ? HexFormat.of().formatHex(bytes)
                : HexFormat.of().formatHex(bytes, 0, MAX_BYTES_SHOWN) + "… (" + bytes.length + " bytes)";
    }
}
