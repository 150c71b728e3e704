package dev.laurel.deploy.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.deploy.bench.BenchReport.Machine;
import dev.laurel.deploy.cli.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Speed of a shadow generation compared with the bare pipeline, which processes as many events with changelogs and
 * effects and without logic.
 *
 * @param events events in the log and in each round of the bare pipeline
 * @param barePerSecond rate of the bare pipeline
 * @param report shadow generation for a report, without changelogs
 * @param promotion shadow generation for a promotion, with changelogs
 */
record ReplayReport(@JsonIgnore Machine machine, int events, int users, double barePerSecond, Fold report,
        Fold promotion) implements BenchResult {
    static final double TARGET = 0.8;
    private static final double MILLION = 1e6;

    /**
     * @param perSecond rate between commits, as for the bare pipeline
     * @param ratio ratio to the bare pipeline
     * @param seconds time from the start until everything was folded, ranked and committed
     * @param firstSeconds time of the first fold, whose code the JVM had not compiled
     * @param cpuMsPerEvent processor time of the process, including the broker
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
        return String.format(Locale.ROOT, "%s%n%,d events of %,d users%n%n%s", MachineInfo.line(machine), events,
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
        return MachineInfo.json(machine, Map.of("replay", this));
    }
}
