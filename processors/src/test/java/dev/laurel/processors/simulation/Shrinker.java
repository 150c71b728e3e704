package dev.laurel.processors.simulation;

import dev.laurel.schemas.serde.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shortens a failing history: leaves out steps, larger chunks first, and then parts of rulesets, while it fails in the same
 * way. The result should be readable, not minimal, so that it stops after some time.
 */
final class Shrinker {

    private static final int MAX_RUNS = 2000;

    private final Supplier<List<Check>> checks;
    private final Simulation.Failure failure;
    private final long endNs;
    private int runs;
    private List<Step> best;

    private Shrinker(Supplier<List<Check>> checks, List<Step> steps, Simulation.Failure failure, Duration patience) {
        this.checks = checks;
        this.best = steps;
        this.failure = failure;
        this.endNs = System.nanoTime() + patience.toNanos();
    }

    /**
     * @param checks makes the checks, new for each execution
     * @param failed the failure of {@code steps}
     */
    static List<Step> shrink(
            Supplier<List<Check>> checks, List<Step> steps, Simulation.Failure failed, Duration patience) {
        var shrinker = new Shrinker(checks, steps.subList(0, failed.steps()), failed, patience);
        shrinker.leaveOutUsers();
        int before;
        do {
            before = shrinker.best.size();
            shrinker.leaveOutSteps();
        } while (shrinker.best.size() < before && shrinker.mayGoOn());
        shrinker.leaveOutRules();
        return shrinker.best;
    }

    private boolean mayGoOn() {
        return System.nanoTime() < endNs && runs < MAX_RUNS;
    }

    /** Uses only the check that found the failure. */
    private List<Check> looking() {
        return checks.get().stream()
                .filter(check -> failure.check() != null && failure.check().getClass() == check.getClass())
                .toList();
    }

    /** Tries to keep one user: most failures concern only one. */
    private void leaveOutUsers() {
        best.stream()
                .map(World::userOf)
                .filter(Objects::nonNull)
                .distinct()
                .toList()
                .forEach(user -> {
                    if (mayGoOn()) {
                        keepIfFailing(best.stream()
                                .filter(step -> !user.equals(World.userOf(step)))
                                .toList());
                    }
                });
    }

    private void leaveOutSteps() {
        for (int chunk = Math.max(1, best.size() / 2); chunk > 0; chunk /= 2) {
            for (int from = best.size() - chunk; from >= 0 && mayGoOn(); from -= chunk) {
                var fewer = new ArrayList<>(best.subList(0, from));
                fewer.addAll(best.subList(Math.min(best.size(), from + chunk), best.size()));
                keepIfFailing(fewer);
            }
        }
    }

    private boolean keepIfFailing(List<Step> steps) {
        runs++;
        Simulation.Failure failed = Simulation.run(steps, looking());
        if (failed == null || !failed.kind().equals(failure.kind())) {
            return false;
        }
        best = List.copyOf(steps.subList(0, failed.steps()));
        return true;
    }

    private void leaveOutRules() {
        for (int i = 0; i < best.size(); i++) {
            if (best.get(i) instanceof Step.Publish(var at, String source)) {
                JsonNode tree = Json.mapperForTools().readTree(source);
                leaveOutRules(i, at, tree, tree);
            }
        }
    }

    private void leaveOutRules(int index, Instant at, JsonNode document, JsonNode part) {
        if (!(part instanceof ObjectNode object)) {
            return;
        }
        for (String name : List.copyOf(object.propertyNames())) {
            if (!mayGoOn() || index >= best.size()) {
                return;
            }
            JsonNode value = object.remove(name);
            var steps = new ArrayList<>(best);
            steps.set(index, new Step.Publish(at, document.toString()));
            if (!keepIfFailing(steps)) {
                object.set(name, value);
                leaveOutRules(index, at, document, value);
            }
        }
    }
}
