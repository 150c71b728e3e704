package dev.laurel.gateway.publish;

import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.command.OwnedCommand;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Puts requests into the log, each with the address its answer goes to. Thread-safe. */
public interface Publisher {

    /** How a publication ended. */
    enum Outcome {
        /** It is in the log, for good. */
        STORED,
        /** It is not in the log: larger than the log takes. */
        TOO_LARGE,
        /** It is not in the log and never will be. */
        NOT_STORED,
        /** It was sent, and no acknowledgement came: it may be in the log. */
        UNKNOWN
    }

    /**
     * Returns once the request is on its way, or has failed to get there; this may take as long as the publisher's
     * blocking limit. Never throws, and the future never completes exceptionally.
     *
     * @param requestId comes back with the answer
     */
    CompletableFuture<Outcome> publish(UserKey user, UserCommand command, UUID requestId);

    /** The same for an edit of a tenant's ruleset. */
    CompletableFuture<Outcome> publish(TenantId tenant, Edit edit, UUID requestId);

    /** The same for a request about a thing of a user's; it goes to the partition that the thing's id names. */
    CompletableFuture<Outcome> publish(OwnedCommand command, UUID requestId);

    /** Puts an event into the log for whose answer nobody waits. @param time when it happened, null: now */
    CompletableFuture<Outcome> publish(UserKey user, RecordEvent event, Instant time);

    /** Puts a test into the outbox, under the tenant's key; its id is to be made of that. Nobody waits for an answer. */
    CompletableFuture<Outcome> publish(Outgoing.HookTest test);

    /** Puts the wish for one more attempt into the outbox, where the delivery's id says; else as the first of these. */
    CompletableFuture<Outcome> publish(Outgoing.HookRetry retry, UUID requestId);

    /** Appends a tick of the present time to this partition of the log; the same otherwise. */
    CompletableFuture<Outcome> publishTick(int partition, UUID requestId);

    /** Puts a question into this partition of the outbox; the same otherwise. */
    CompletableFuture<Outcome> publishQuestion(int partition, UUID requestId);

    /** Of the log. */
    int partitions();

    int outboxPartitions();

    /** True while requests are on their way and none has been acknowledged for longer than is healthy. */
    boolean isStalled();
}
