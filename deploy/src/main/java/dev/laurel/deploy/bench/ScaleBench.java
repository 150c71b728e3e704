package dev.laurel.deploy.bench;

import dev.laurel.deploy.bench.ScaleReport.Figures;
import dev.laurel.deploy.bench.load.Median;
import dev.laurel.deploy.cli.CommandFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Measures alternately how fast one node and two nodes process a backlog. Broker and nodes are new processes without
 * data each time; each node is pinned to a core, the broker to the remaining cores if there are any. The backlog
 * grows with the number of nodes, so each node has the same work and warm-up.
 */
final class ScaleBench {
    private static final int CORES_MIN = Plan.NODES;

    private final Plan plan;
    private final Consumer<String> progress;
    private final List<Integer> coresOfBroker = Plan.coresOfBroker(Runtime.getRuntime().availableProcessors());

    private ScaleBench(Plan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Blocks until the run is complete.
     *
     * @throws CommandFailed if there are not enough cores
     */
    static ScaleReport run(Plan plan, Consumer<String> progress) throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < CORES_MIN) {
            throw new CommandFailed("two nodes need " + CORES_MIN + " cores");
        }
        return new ScaleBench(plan, progress).run();
    }

    private ScaleReport run() throws InterruptedException {
        var otherWork = new CompetingLoad();
        var one = new ArrayList<Figures>();
        var two = new ArrayList<Figures>();
        for (int round = 0; round < plan.rounds(); round++) {
            one.add(measure(1));
            two.add(measure(Plan.NODES));
        }
        return ScaleReport.of(MachineInfo.now(otherWork.share()), plan.eventsPerNode(), coresOfBroker.isEmpty(),
                median(one), median(two));
    }

    private Figures measure(int nodes) throws InterruptedException {
        try (var cluster = PinnedCluster.start(nodes, plan, coresOfBroker)) {
            cluster.work(nodes * plan.eventsPerNode() / 2);
            Figures figures = cluster.work(nodes * plan.eventsPerNode());
            progress.accept(String.format(Locale.ROOT,
                    "%d of the nodes: %,.0f events/s; CPU s per million: %.1f nodes, %.1f broker", nodes,
                    figures.perSecond(), figures.nodeCpuSeconds(), figures.brokerCpuSeconds()));
            return figures;
        }
    }

    private static Figures median(List<Figures> rounds) {
        return new Figures(rounds.getFirst().nodes(), median(rounds, Figures::perSecond),
                median(rounds, Figures::nodeCores), median(rounds, Figures::nodeCpuSeconds),
                median(rounds, Figures::brokerCpuSeconds), median(rounds, Figures::benchCpuSeconds));
    }

    private static double median(List<Figures> rounds, ToDoubleFunction<Figures> figure) {
        return Median.of(rounds.stream().mapToDouble(figure));
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

        /** @param events {@code null} for the default */
        static Plan of(Integer events, boolean isQuick) {
            int given = events != null ? events : isQuick ? EVENTS_QUICK : EVENTS;
            return new Plan(PARTITIONS, USERS, given, isQuick ? 1 : 2);
        }

        /** Returns the cores without a node; may be empty. */
        static List<Integer> coresOfBroker(int cores) {
            return IntStream.range(NODES, Math.max(NODES, cores)).boxed().toList();
        }
    }
}
