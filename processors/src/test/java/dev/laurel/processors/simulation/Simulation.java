package dev.laurel.processors.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Lets a history happen and looks at it all along. The same steps come to the same end. */
final class Simulation {

    /** Steps between two looks at everything. */
    private static final int WHOLE_LOOK = 250;

    /**
     * What is broken after how many steps.
     *
     * @param check which found it, null if a step itself failed
     */
    record Failure(int steps, Check check, Throwable cause) {

        /** What is broken, or what was thrown and from where. */
        String message() {
            if (cause instanceof AssertionError) {
                return cause.getMessage();
            }
            var trace = new StringWriter();
            cause.printStackTrace(new PrintWriter(trace));
            return trace.toString();
        }

        /** The same for failures of one kind: what is broken, or where something was thrown. */
        String kind() {
            Throwable root = cause;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            if (cause instanceof AssertionError) {
                return cause.getMessage().split(":", 2)[0];
            }
            for (StackTraceElement frame : root.getStackTrace()) {
                if (frame.getClassName().startsWith("dev.laurel.")) {
                    return root.getClass().getSimpleName() + " in " + frame.getClassName() + "."
                            + frame.getMethodName();
                }
            }
            return root.getClass().getName();
        }
    }

    private Simulation() {}

    /** All that must hold in such a history, each new. */
    static List<Check> checks(Workload.Kind kind) {
        var checks = new ArrayList<>(List.of(new PointsCheck(), new CompletionCheck(), new RepeatCheck(),
                new TimeCheck(), new BoardsCheck(), new AccountCheck(), new MessagesCheck(), new ReplayCheck()));
        if (kind == Workload.Kind.PLAIN) {
            checks.addFirst(new ModelCheck());
        }
        return checks;
    }

    /**
     * Looks at one random history.
     *
     * @param checks makes what must hold, new for each run
     * @return null if it holds; else the seed, what is broken, and a short history that breaks it
     */
    static String examine(Workload.Kind kind, long seed, int count, Supplier<List<Check>> checks, Duration patience) {
        List<Step> steps = Workload.of(kind, seed, count);
        Failure failure = run(steps, checks.get());
        if (failure == null) {
            return null;
        }
        List<Step> shorter = Shrinker.shrink(checks, steps, failure, patience);
        Failure again = run(shorter, checks.get());
        return "-Dlaurel.simulation.seed=" + seed + " -Dlaurel.simulation.steps=" + count + ", " + kind + ", step "
                + failure.steps() + ": " + failure.message() + "\nThe same after " + shorter.size() + " steps:\n"
                + Step.lines(shorter) + (again == null ? "  (but not each time)" : again.message());
    }

    /** Null if every property holds. */
    static Failure run(List<Step> steps, List<Check> checks) {
        int done = 0;
        Check looking = null;
        try (var world = new World()) {
            for (Step step : steps) {
                done++;
                for (Check check : checks) {
                    looking = check;
                    check.before(world, step);
                }
                looking = null;
                World.Turn turn = world.play(step);
                for (Check check : checks) {
                    looking = check;
                    check.after(world, turn);
                    if (done % WHOLE_LOOK == 0 || done == steps.size()) {
                        check.whole(world);
                    }
                }
            }
            return null;
        } catch (AssertionError | RuntimeException e) {
            return new Failure(done, looking, e);
        }
    }
}
