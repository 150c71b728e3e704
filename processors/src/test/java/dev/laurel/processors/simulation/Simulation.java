package dev.laurel.processors.simulation;

import java.util.ArrayList;
import java.util.List;

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
                new TimeCheck(), new ReplayCheck()));
        if (kind == Workload.Kind.PLAIN) {
            checks.addFirst(new ModelCheck());
        }
        return checks;
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
