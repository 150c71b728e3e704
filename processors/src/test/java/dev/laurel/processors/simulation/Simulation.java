package dev.laurel.processors.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Executes a history and checks it after each step. The same steps have the same result. */
final class Simulation {

    /** Steps between two complete checks. */
    private static final int WHOLE_LOOK = 250;

    /**
     * A failure after a number of steps.
     *
     * @param check the check that found it; null: a step itself failed
     */
    record Failure(int steps, Check check, Throwable cause) {

        /** The broken property, or the exception and its origin. */
        String message() {
            if (cause instanceof AssertionError) {
                return cause.getMessage();
            }
            var trace = new StringWriter();
            cause.printStackTrace(new PrintWriter(trace));
            return trace.toString();
        }

        /** Equal for failures of one kind: the broken property, or the origin of the exception. */
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

    /** New instances of all checks for such a history. */
    static List<Check> checks(Workload.Kind kind) {
        var checks = new ArrayList<>(List.of(
                new PointsCheck(),
                new CompletionCheck(),
                new RepeatCheck(),
                new TimeCheck(),
                new LeaderboardsCheck(),
                new AccountCheck(),
                new MessagesCheck(),
                new ReplayCheck()));
        if (kind == Workload.Kind.PLAIN) {
            checks.addFirst(new ModelCheck());
        }
        return checks;
    }

    /**
     * Checks one random history.
     *
     * @param checks makes the checks, new for each execution
     * @return null if all properties hold; else the seed, the failure and a short history that fails
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

    /** Null: all properties hold. */
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
