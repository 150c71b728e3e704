package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.ComparisonTotals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a replay came to.
 *
 * @param rules what was replayed, for people: {@code the rules of the time}, or a file
 * @param isWhatIf the rules are others than those of the time, so differences are what was asked for, and no faults
 * @param at the moment as of which both states are shown
 * @param commands how many records of the log were read
 * @param elapsed how long reading them took
 * @param notCompared users who moved whenever they were looked at
 * @param examplesNotCompared some of them
 * @param notes what else a reader must know
 */
record ReplayReport(String rules, boolean isWhatIf, Instant at, long commands, Duration elapsed,
        ComparisonTotals totals, long notCompared, List<String> examplesNotCompared, List<String> notes) {

    ReplayReport {
        examplesNotCompared = List.copyOf(examplesNotCompared);
        notes = List.copyOf(notes);
    }
}
