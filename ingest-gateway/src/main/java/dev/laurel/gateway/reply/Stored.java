package dev.laurel.gateway.reply;

import dev.laurel.gateway.publish.Publisher.Outcome;
import java.util.List;

/** What became of a batch of events. */
public sealed interface Stored {

    /** Nothing was stored; trying again later makes sense. @param reason a sentence for the client */
    record Unavailable(String reason) implements Stored {}

    /** Each of the events had an end. @param outcomes in the order of the events */
    record Ended(List<Outcome> outcomes) implements Stored {

        public Ended {
            outcomes = List.copyOf(outcomes);
        }
    }
}
