package dev.laurel.processors.simulation;

import java.util.List;

/** Lets a history happen and looks at it all along. The same steps come to the same end. */
final class Simulation {

    /** Steps between two looks at everything. */
    private static final int WHOLE_LOOK = 250;

    /** What is broken after how many steps. */
    record Failure(int steps, Throwable cause) {

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

    /** Null if every property holds. */
    static Failure run(Workload.Kind kind, List<Step> steps) {
        List<Check> checks = kind == Workload.Kind.PLAIN
                ? List.of(new ModelCheck(), new PointsCheck(), new CompletionCheck(), new RepeatCheck(),
                        new TimeCheck(), new ReplayCheck())
                : List.of(new PointsCheck(), new CompletionCheck(), new RepeatCheck(), new TimeCheck(),
                        new ReplayCheck());
        int done = 0;
        try (var world = new World()) {
            for (Step step : steps) {
                done++;
                checks.forEach(check -> check.before(world, step));
                World.Turn turn = world.play(step);
                checks.forEach(check -> check.after(world, turn));
                if (done % WHOLE_LOOK == 0 || done == steps.size()) {
                    checks.forEach(check -> check.whole(world));
                }
            }
            return null;
        } catch (AssertionError | RuntimeException e) {
            return new Failure(done, e);
        }
    }
}
