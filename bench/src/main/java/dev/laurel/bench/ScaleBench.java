package dev.laurel.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.load.Median;
import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

import static dev.laurel.bench.BenchResult.format;

/**
 * Measures alternately how fast one node and two nodes process a backlog. Broker and nodes are new processes without
 * data each time; each node is pinned to a core, the broker to the remaining cores if there are any. The backlog
 * grows with the number of nodes, so each node has the same work and warm-up.
 */
final class ScaleBench {
    private final Plan plan;
    private final Progress progress;
    private final List<Integer> coresOfBroker = Plan.coresOfBroker(Runtime.getRuntime().availableProcessors());

    private ScaleBench(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Blocks until the run is complete.
     *
     * @throws CommandFailed if there are not enough cores
     */
    static Report run(Plan plan, Progress progress) throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < Plan.NODES) {
            throw new CommandFailed("two nodes need " + Plan.NODES + " cores");
        }
        return new ScaleBench(plan, progress).run();
    }

    private Report run() throws InterruptedException {
        var otherWork = new CompetingLoad();
        var one = new ArrayList<Figures>();
        var two = new ArrayList<Figures>();
        for (int round = 0; round < plan.rounds(); round++) {
            one.add(measure(1));
            two.add(measure(Plan.NODES));
        }
        return Report.of(Machine.after(otherWork), plan.eventsPerNode(), coresOfBroker.isEmpty(),
                median(one), median(two));
    }

    private Figures measure(int nodes) throws InterruptedException {
        try (var cluster = PinnedCluster.start(nodes, plan, coresOfBroker)) {
            cluster.work(nodes * plan.eventsPerNode() / 2);
            Figures figures = cluster.work(nodes * plan.eventsPerNode());
            progress.line("nodes: %d, %,.0f events/s; CPU s per million: %.1f nodes, %.1f broker", nodes,
                    figures.perSecond(), figures.nodeCpuSeconds(), figures.brokerCpuSeconds());
            return figures;
        }
    }

    private static Figures median(List<Figures> rounds) {
        return new Figures(rounds.getFirst().nodes(), Median.of(rounds, Figures::perSecond),
                Median.of(rounds, Figures::nodeCores), Median.of(rounds, Figures::nodeCpuSeconds),
                Median.of(rounds, Figures::brokerCpuSeconds), Median.of(rounds, Figures::benchCpuSeconds));
    }

    /**
     * Plan for one node and two nodes on separate cores.
     *
     * @param partitions shared by the nodes
     * @param eventsPerNode measured events; half as many for warm-up
     * @param rounds rounds of one node and then two
     */
    record Plan(int partitions, int users, int eventsPerNode, int rounds) {
        static final int NODES = 2;
        private static final int PARTITIONS = 4;
        private static final int USERS = 10_000;
        private static final int EVENTS = 500_000;
        private static final int EVENTS_QUICK = 30_000;
        private static final int EVENTS_MIN = 1_000;
        private static final int EVENTS_MAX = 20_000_000;

        Plan {
            if (eventsPerNode < EVENTS_MIN || eventsPerNode > EVENTS_MAX) {
                throw new IllegalArgumentException(
                        "each node gets " + EVENTS_MIN + " to " + EVENTS_MAX + " events, not " + eventsPerNode);
            }
        }

        /** @param events null: the default */
        static Plan of(@Nullable Integer events, boolean isQuick) {
            int given = events != null ? events : isQuick ? EVENTS_QUICK : EVENTS;
            return new Plan(PARTITIONS, USERS, given, isQuick ? 1 : 2);
        }

        /** Returns the cores without a node; may be empty. */
        static List<Integer> coresOfBroker(int cores) {
            return IntStream.range(NODES, Math.max(NODES, cores)).boxed().toList();
        }
    }

    /**
     * The gain of a second node.
     *
     * @param brokerShares whether broker and nodes share cores; the ratio then includes the cost of the broker
     */
    record Report(@JsonIgnore Machine machine, int eventsPerNode, boolean brokerShares, Figures one,
            Figures two, double ratio, double efficiency, double ratioByNodes) implements BenchResult {
        static final double TARGET = 1.6;

        /**
         * Computes the ratio of the rates; the efficiency, which is the ratio of events per processor second of the
         * nodes; and the ratio by nodes, twice the efficiency, which two nodes reach on two cores of their own.
         */
        static Report of(Machine machine, int eventsPerNode, boolean brokerShares, Figures one, Figures two) {
            double efficiency = one.nodeCpuSeconds() / two.nodeCpuSeconds();
            return new Report(machine, eventsPerNode, brokerShares, one, two, two.perSecond() / one.perSecond(),
                    efficiency, two.nodes() * efficiency);
        }

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row("nodes, each on its core", "events/s", "ratio", "target", "cores used",
                    "CPU s per million: nodes",
                    "broker", "bench");
            table.row(row(one, "", ""));
            table.row(row(two, format("%.2f", ratio), "≥ " + TARGET));
            return format(
                    """
                            %s
                            %,d events per node

                            %s
                            Events per CPU second of the nodes, two over one: %.2f; ratio of two nodes on cores of their own: %.2f.
                            %s
                            """,
                    machine.description(), eventsPerNode, table.text(), efficiency, ratioByNodes,
                    brokerShares
                            ? "The broker has no core for itself: beside two nodes it uses their cores, beside one node the idle core."
                            : "The broker has cores for itself.");
        }

        private static List<String> row(Figures figures, String ratio, String target) {
            return List.of(Integer.toString(figures.nodes()), format("%,.0f", figures.perSecond()), ratio, target,
                    format("%.2f", figures.nodeCores()), format("%.2f", figures.nodeCpuSeconds()),
                    format("%.2f", figures.brokerCpuSeconds()), format("%.2f", figures.benchCpuSeconds()));
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("scale", this);
        }
    }

    /**
     * Figures of all nodes together.
     *
     * @param nodeCores cores used by the nodes
     * @param nodeCpuSeconds processor time of the nodes per million events
     * @param brokerCpuSeconds processor time of the broker per million events
     * @param benchCpuSeconds processor time of this process per million events
     */
    record Figures(int nodes, double perSecond, double nodeCores, double nodeCpuSeconds,
            double brokerCpuSeconds, double benchCpuSeconds) {

        static Figures of(int nodes, double perSecond, double events, double seconds, double nodeCpuS,
                double brokerCpuS, double benchCpuS) {
            double millions = events / 1e6;
            return new Figures(nodes, perSecond, nodeCpuS / seconds, nodeCpuS / millions, brokerCpuS / millions,
                    benchCpuS / millions);
        }
    }
}
