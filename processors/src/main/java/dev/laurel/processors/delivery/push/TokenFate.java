package dev.laurel.processors.delivery.push;

/** What became of a message at one device token. */
sealed interface TokenFate {

    /** The service has it. */
    record Accepted() implements TokenFate {}

    /** The service says that the token is gone for good. */
    record Dead() implements TokenFate {}

    /** The service does not take it, and will not next time. */
    record Refused(String reason) implements TokenFate {}

    /** It did not go out for certain, and may next time. */
    record NotSent(String reason) implements TokenFate {}

    /** It was under way when the answer failed to come. */
    record Lost(String reason) implements TokenFate {}

    /**
     * What a status means that says nothing about the token. A 502 or 504 comes from something in front of the service that
     * got no answer out of it: whether the service has the message is not known, which other 5xx do say.
     *
     * @param code what the service calls it, null if it does not
     */
    static TokenFate ofStatus(String service, int status, String code) {
        String reason = service + " answers " + status + (code == null ? "" : " " + code);
        if (status == 502 || status == 504) {
            return new Lost(reason);
        }
        return status == 429 || status >= 500 ? new NotSent(reason) : new Refused(reason);
    }
}
