package dev.laurel.gateway.admission;

import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Metric;
import org.jspecify.annotations.Nullable;

/** The decision whether a command may go into the log. */
public sealed interface Verdict {

    Verdict UNDECIDED = new Undecided();

    /** The command may go into the log. @param metric the metric of an event; null for other commands */
    record Admitted(@Nullable Metric metric) implements Verdict {}

    /** The client gets this refusal; the request does not reach the log. */
    record Denied(Refusal refusal) implements Verdict {}

    /** The known ruleset would deny the command, but there may be a newer one. */
    record Undecided() implements Verdict {}
}
