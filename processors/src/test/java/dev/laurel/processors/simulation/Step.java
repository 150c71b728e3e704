package dev.laurel.processors.simulation;

import java.time.Instant;
import java.util.List;

/** A step of a simulated history as plain data. A list of steps is the whole history. */
sealed interface Step {

    Instant at();

    /** The text in a failure. */
    String line();

    /**
     * A user's command.
     *
     * @param json the record's value
     * @param asks whether a gateway waits for the answer, as opposed to a direct producer
     */
    record Send(Instant at, String user, String json, boolean asks) implements Step {
        @Override
        public String line() {
            return at + "  " + user + (asks ? " asks  " : " sends ") + json;
        }
    }

    /** The next ruleset, published if it is valid after the present one. @param source as an operator writes it */
    record Publish(Instant at, String source) implements Step {
        @Override
        public String line() {
            return at + "  ruleset " + source;
        }
    }

    /** Ticks of one time until nothing more is due. */
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

    /** The task restarts with its stores alone. */
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
