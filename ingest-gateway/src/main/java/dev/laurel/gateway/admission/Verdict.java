package dev.laurel.gateway.admission;

import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.ruleset.Metric;

/** Whether a command may go into the log. */
public sealed interface Verdict {

    Verdict UNDECIDED = new Undecided();

    /** @param metric the one an event counts for, null for a command that is no event */
    record Admitted(Metric metric) implements Verdict {}

    /** The client gets this answer; the log never sees the request. */
    record Refused(Refusal refusal) implements Verdict {}

    /** It would be refused by what is known here, and whether there are newer rules cannot be found out now. */
    record Undecided() implements Verdict {}
}
