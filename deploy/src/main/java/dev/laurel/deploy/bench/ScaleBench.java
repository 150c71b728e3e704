package dev.laurel.deploy.bench;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.bench.ScaleReport.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Measures how fast one node, and how fast two nodes work off a backlog, in turns. Every time there are a broker and nodes as new
 * processes with nothing on disk; each node is pinned to a core, the broker to those that are left, or to none if none is left. The
 * backlog grows with the number of nodes: each has as much to do, and has been warmed up by as much.
 */
final class ScaleBench {
    private static final int CORES_MIN = ScalePlan.NODES;

    private final ScalePlan plan;
    private final Consumer<String> progress;
    private final List<Integer> coresOfBroker = ScalePlan.coresOfBroker(Runtime.getRuntime().availableProcessors());

    private ScaleBench(ScalePlan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Blocks for the whole run.
     *
     * @throws CommandFailed where nodes cannot have cores of their own
     */
    static ScaleReport run(ScalePlan plan, Consumer<String> progress) throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < CORES_MIN) {
            throw new CommandFailed("two nodes need " + CORES_MIN + " cores");
        }
        return new ScaleBench(plan, progress).run();
    }

    private ScaleReport run() throws InterruptedException {
        var otherWork = new OtherWork();
        var one = new ArrayList<Figures>();
        var two = new ArrayList<Figures>();
        for (int round = 0; round < plan.rounds(); round++) {
            one.add(measure(1));
            two.add(measure(ScalePlan.NODES));
        }
        return ScaleReport.of(ThisMachine.now(otherWork.share()), plan.eventsPerNode(), coresOfBroker.isEmpty(),
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
}
