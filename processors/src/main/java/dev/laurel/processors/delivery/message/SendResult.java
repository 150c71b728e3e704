package dev.laurel.processors.delivery.message;

import java.util.List;

/** What came of one attempt to send a message. */
public sealed interface SendResult {

    /** @param deadTokens device tokens that the service says are gone for good; the user is to lose them */
    record Sent(List<String> deadTokens) implements SendResult {

        public Sent {
            deadTokens = List.copyOf(deadTokens);
        }
    }

    /** Nothing went out for certain, and another attempt may do better. */
    record NotSent(String reason) implements SendResult {}

    /** Nothing went out, and no attempt will do better. @param deadTokens see {@link Sent} */
    record Refused(String reason, List<String> deadTokens) implements SendResult {

        public Refused {
            deadTokens = List.copyOf(deadTokens);
        }
    }

    /** It may have gone out: it is not sent again. */
    record Doubtful(String reason) implements SendResult {}
}
