package dev.laurel.deploy.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.deploy.TextTable;
import dev.laurel.deploy.bench.BenchReport.Machine;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How fast a shadow folds a log, against the bare pipeline, which does as many events with changelogs and effects and without logic.
 *
 * @param events in the log, and given to the bare pipeline at once
 * @param barePerSecond events
 * @param report a shadow to be looked at, without changelogs
 * @param promotion one to be gone on with, with changelogs
 */
public record ReplayReport(@JsonIgnore Machine machine, int events, int users, double barePerSecond, Fold report,
        Fold promotion) implements Findings {
    static final double TARGET = 0.8;
    private static final double MILLION = 1e6;

    /**
     * @param perSecond between its commits, as with the bare pipeline
     * @param ratio to the bare pipeline
     * @param seconds from its start until everything was folded, ranked and committed
     * @param firstSeconds the same of the first one, whose code the JVM had not compiled
     * @param cpuMsPerEvent of the process, broker included
     */
    public record Fold(double perSecond, double ratio, double seconds, double firstSeconds, double cpuMsPerEvent) {}

    @Override
    public String toTable() {
        var table = TextTable.ofNumbers();
        table.row(List.of("", "events/s", "ratio", "target", "s in all", "the first one", "s per million",
                "CPU ms per event"));
        table.row("bare pipeline", String.format(Locale.ROOT, "%,.0f", barePerSecond));
        table.row(row("shadow for a report", report));
        table.row(row("shadow for a promotion", promotion));
        return String.format(Locale.ROOT, "%s%n%,d events of %,d users%n%n%s", ThisMachine.line(machine), events,
                users, table.text());
    }

    private List<String> row(String name, Fold fold) {
        return List.of(name, String.format(Locale.ROOT, "%,.0f", fold.perSecond()),
                String.format(Locale.ROOT, "%.2f", fold.ratio()), "≥ " + TARGET, seconds(fold.seconds()),
                seconds(fold.firstSeconds()), seconds(fold.seconds() * MILLION / events),
                String.format(Locale.ROOT, "%.3f", fold.cpuMsPerEvent()));
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds);
    }

    @Override
    public String toJson() {
        return ThisMachine.json(machine, Map.of("replay", this));
    }
}
