package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.ComparisonTotals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Summary of a replay.
 *
 * @param rules replayed rules for people: {@code the rules of the time}, or a file
 * @param isWhatIf whether the rules differ from those of the time, so that differences are expected
 * @param at moment at which both states are shown
 * @param commands number of records read from the log
 * @param elapsed time for reading them
 * @param notCompared number of users who had new records in every round
 * @param examplesNotCompared some of them
 * @param notes further remarks
 */
record ReplayReport(String rules, boolean isWhatIf, Instant at, long commands, Duration elapsed,
        ComparisonTotals totals, long notCompared, List<String> examplesNotCompared, List<String> notes) {

    ReplayReport {
        examplesNotCompared = List.copyOf(examplesNotCompared);
        notes = List.copyOf(notes);
    }
}
