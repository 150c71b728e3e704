package dev.laurel.processors.simulation;

import java.time.Instant;
import java.util.List;

/** A thing that happens in a simulated history, as plain data: a list of steps is the whole history. */
sealed interface Step {

    Instant at();

    /** As it is shown in a failure. */
    String line();

    /**
     * A user's command.
     *
     * @param json the record's value
     * @param asks whether a gateway waits for the answer; else it is a direct producer's
     */
    record Send(Instant at, String user, String json, boolean asks) implements Step {
        @Override
        public String line() {
            return at + "  " + user + (asks ? " asks  " : " sends ") + json;
        }
    }

    /** The next ruleset; one that is not valid after the present one is not published. @param source its human form */
    record Publish(Instant at, String source) implements Step {
        @Override
        public String line() {
            return at + "  ruleset " + source;
        }
    }

    /** Ticks of one time until nothing is due any more. */
    record Ticks(Instant at) implements Step {
        @Override
        public String line() {
            return at + "  ticks";
        }
    }

    record Hold(Instant at, String name) implements Step {
        @Override
        public String line() {
            return at + "  timers held by " + name;
        }
    }

    record Release(Instant at, String name) implements Step {
        @Override
        public String line() {
            return at + "  timers released by " + name;
        }
    }

    /** The task goes on with its stores and nothing else. */
    record Restart(Instant at) implements Step {
        @Override
        public String line() {
            return at + "  restart";
        }
    }

    static String lines(List<Step> steps) {
        var lines = new StringBuilder();
        steps.forEach(step -> lines.append("  ").append(step.line()).append('\n'));
        return lines.toString();
    }
}
