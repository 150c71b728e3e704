package dev.laurel.deploy.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.deploy.bench.BenchReport.Machine;
import dev.laurel.deploy.cli.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The gain of a second node.
 *
 * @param brokerShares whether broker and nodes share cores; the ratio then includes the cost of the broker
 */
public record ScaleReport(@JsonIgnore Machine machine, int eventsPerNode, boolean brokerShares, Figures one,
        Figures two, double ratio, double efficiency, double ratioByNodes) implements BenchResult {
    static final double TARGET = 1.6;
    private static final double MILLION = 1e6;

    /**
     * Figures of all nodes together.
     *
     * @param nodeCores cores used by the nodes
     * @param nodeCpuSeconds processor time of the nodes per million events
     * @param brokerCpuSeconds processor time of the broker per million events
     * @param benchCpuSeconds processor time of this process per million events
     */
    public record Figures(int nodes, double perSecond, double nodeCores, double nodeCpuSeconds,
            double brokerCpuSeconds, double benchCpuSeconds) {

        static Figures of(int nodes, double perSecond, double events, double seconds, double nodeCpuS,
                double brokerCpuS, double benchCpuS) {
            double millions = events / MILLION;
            return new Figures(nodes, perSecond, nodeCpuS / seconds, nodeCpuS / millions, brokerCpuS / millions,
                    benchCpuS / millions);
        }
    }

    /**
     * Computes the ratio of the rates; the efficiency, which is the ratio of events per processor second of the
     * nodes; and the ratio by nodes, twice the efficiency, which two nodes reach on two cores of their own.
     */
    static ScaleReport of(Machine machine, int eventsPerNode, boolean brokerShares, Figures one, Figures two) {
        double efficiency = one.nodeCpuSeconds() / two.nodeCpuSeconds();
        return new ScaleReport(machine, eventsPerNode, brokerShares, one, two, two.perSecond() / one.perSecond(),
                efficiency, two.nodes() * efficiency);
    }

    @Override
    public String toTable() {
        var table = TextTable.ofNumbers();
        table.row(List.of("nodes, each on its core", "events/s", "ratio", "target", "cores had",
                "CPU s per million: nodes",
                "broker", "bench"));
        table.row(row(one, List.of("", "")));
        table.row(row(two, List.of(String.format(Locale.ROOT, "%.2f", ratio), "≥ " + TARGET)));
        return String.format(Locale.ROOT, """
                %s
                %,d events per node

                %s
                Events per CPU second of the nodes, two over one: %.2f; so two nodes on cores of their own: %.2f.
                %s
                """, MachineInfo.line(machine), eventsPerNode, table.text(), efficiency, ratioByNodes,
                brokerShares
                        ? "The broker has no core for itself: with two nodes it takes from theirs what it took from the idle one before."
                        : "The broker has cores for itself.");
    }

    private static List<String> row(Figures figures, List<String> compared) {
        return List.of(Integer.toString(figures.nodes()), String.format(Locale.ROOT, "%,.0f", figures.perSecond()),
                compared.getFirst(), compared.getLast(), number(figures.nodeCores()), number(figures.nodeCpuSeconds()),
                number(figures.brokerCpuSeconds()), number(figures.benchCpuSeconds()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    @Override
    public String toJson() {
        return MachineInfo.json(machine, Map.of("scale", this));
    }
}
