package dev.laurel.gateway.publish;

import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Puts requests into the log, each with the address for its reply. Thread-safe. */
public interface Publisher {

    /** The outcome of a publication. */
    enum Outcome {
        /** The record is in the log. */
        STORED,
        /** The record is not in the log, because it is larger than the log accepts. */
        TOO_LARGE,
        /** The record is not in the log and never will be. */
        NOT_STORED,
        /** The record was sent and not acknowledged: it may be in the log. */
        UNKNOWN
    }

    /**
     * Publishes a command. Returns once the record is on its way or has failed; that may take as long as the publisher's blocking
     * limit. Never throws, and the future never completes exceptionally.
     *
     * @param requestId returns with the reply
     */
    CompletableFuture<Outcome> publish(UserKey user, UserCommand command, UUID requestId);

    /** Publishes an edit of a tenant's ruleset in the same way. */
    CompletableFuture<Outcome> publish(TenantId tenant, Edit edit, UUID requestId);

    /** Publishes a request about a thing that a user owns, to the partition that the id of the thing names. */
    CompletableFuture<Outcome> publish(OwnedCommand command, UUID requestId);

    /** Publishes an event whose reply nobody waits for. @param time when it happened, null for now */
    CompletableFuture<Outcome> publish(UserKey user, RecordEvent event, @Nullable Instant time);

    /** Puts a test of a webhook into the outbox, under the key of the tenant, which its id must name. Nobody waits for a reply. */
    CompletableFuture<Outcome> publish(Outgoing.HookTest test);

    /** Puts the request for one more attempt into the partition of the outbox that the id of the delivery names. */
    CompletableFuture<Outcome> publish(Outgoing.HookRetry retry, UUID requestId);

    /** Appends a tick of the present time to this partition of the log. */
    CompletableFuture<Outcome> publishTick(int partition, UUID requestId);

    /** Puts a question to delivery into this partition of the outbox. */
    CompletableFuture<Outcome> publishQuestion(int partition, UUID requestId);

    /** The number of partitions of the log. */
    int partitions();

    int outboxPartitions();

    /** Whether records are unacknowledged and none has been acknowledged for too long. */
    boolean isStalled();
}
