package dev.laurel.gateway.publish;

import dev.laurel.gateway.publish.Publisher.Outcome;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.InvalidRecordException;

/**
 * What a failure that the producer reports after it took a record means: was the record stored, and can the producer go
 * on? Only what the broker refuses by its content or our rights is surely not stored.
 */
enum SendFailure {

    TOO_LARGE(Outcome.TOO_LARGE), REFUSED(Outcome.NOT_STORED), UNACKNOWLEDGED(Outcome.UNKNOWN),
    /** The producer may be unable to ever send again, so silence would lose every later request. */
    FAULT(Outcome.UNKNOWN);

    private final Outcome outcome;

    SendFailure(Outcome outcome) {
        this.outcome = outcome;
    }

    Outcome outcome() {
        return outcome;
    }

    static SendFailure of(Exception failure) {
        return switch (failure) {
            case RecordTooLargeException _ -> TOO_LARGE;
            case RecordBatchTooLargeException _ -> TOO_LARGE;
            case InvalidRecordException _ -> REFUSED;
            case InvalidTimestampException _ -> REFUSED;
            case InvalidTopicException _ -> REFUSED;
            case AuthorizationException _ -> REFUSED;
            // A batch that timed out before leaves a gap; the producer starts a new epoch by itself.
            case OutOfOrderSequenceException _ -> UNACKNOWLEDGED;
            case RetriableException _ -> UNACKNOWLEDGED;
            default -> FAULT;
        };
    }

    static boolean isTooLarge(Exception failure) {
        return of(failure) == TOO_LARGE;
    }
}
