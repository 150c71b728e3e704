package dev.laurel.gateway;

import dev.laurel.schemas.audit.AuditRecord.Versions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** The result of a request that is sent through the log. */
public sealed interface RequestResult {

    RequestResult PENDING = new Pending();
    RequestResult TOO_LARGE = new TooLarge();

    /** Whether the request was applied, and the reply says so. */
    default boolean isSuccess() {
        return false;
    }

    /**
     * The request was processed.
     *
     * @param status HTTP status
     * @param body JSON, as the replying process wrote it
     * @param parts that other processes add to the body
     * @param versions of the ruleset before and after an edit; null for other requests
     */
    record Replied(
            int status, byte[] body, Parts parts, @Nullable Versions versions) implements RequestResult {

        /** A reply without parts and versions. */
        public Replied(int status, byte[] body) {
            this(status, body, Parts.NONE, null);
        }

        public Replied {
            if (status < 200 || status > 599 || body == null) {
                throw new IllegalArgumentException("not an HTTP response: status " + status);
            }
        }

        /** Otherwise the body is an error. */
        @Override
        public boolean isSuccess() {
            return status < 300;
        }
    }

    /** The request is or may be in the log, and its reply is not known. */
    record Pending() implements RequestResult {}

    /** The request is larger than the log accepts; nothing was stored. */
    record TooLarge() implements RequestResult {}

    /**
     * Nothing was stored; the client may try again later.
     *
     * @param reason a sentence for the client
     */
    record Unavailable(String reason) implements RequestResult {}

    /**
     * The parts that leaderboards, or delivery, add to a reply.
     *
     * @param there the parts that arrived, by name, in the order of the reply
     * @param missing the names of the parts that did not arrive in time, in the order of the reply
     */
    record Parts(SequencedMap<String, byte[]> there, List<String> missing) {

        public static final Parts NONE = new Parts(new LinkedHashMap<>(), List.of());

        public Parts {
            there = Collections.unmodifiableSequencedMap(there);
            missing = List.copyOf(missing);
        }

        /** Whether the reply has no parts. */
        public boolean areNone() {
            return there.isEmpty() && missing.isEmpty();
        }
    }

    /** The outcome of a publication. */
    enum Outcome {
        /** The record is in the log. */
        STORED,
        /** The record is not in the log, because it is larger than the log accepts. */
        TOO_LARGE,
        /** The record is not in the log and never will be. */
        NOT_STORED,
        /** The record was sent and not acknowledged; it may be in the log. */
        UNKNOWN
    }

    /** The place of a record in the log. */
    record Place(String topic, int partition, long offset) {}
}
