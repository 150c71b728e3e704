package dev.laurel.gateway.reply;

/** What became of a request that was to go through the log. */
public sealed interface Answer {

    /**
     * @param body JSON, as the answering process wrote it
     * @param parts that others have to add to it
     */
    record Replied(int status, byte[] body, Parts parts) implements Answer {

        /** An answer that is whole. */
        public Replied(int status, byte[] body) {
            this(status, body, Parts.NONE);
        }

        public Replied {
            if (status < 200 || status > 599 || body == null) {
                throw new IllegalArgumentException("no HTTP answer: status " + status);
            }
        }
    }

    /** The request is in the log, or may be, and its result is not known. */
    record Pending() implements Answer {}

    /** Nothing was stored, since the log does not take requests of this size. */
    record TooLarge() implements Answer {}

    /**
     * Nothing was stored; trying again later makes sense.
     *
     * @param reason a sentence for the client
     */
    record Unavailable(String reason) implements Answer {}

    Answer PENDING = new Pending();
    Answer TOO_LARGE = new TooLarge();
}
