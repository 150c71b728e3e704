package dev.laurel.gateway;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.gateway.RequestResult.Place;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes requests to the log, each with the address for its reply. Thread-safe. */
interface Publisher {

    /**
     * Publishes a command. Returns once the record is in the producer's buffer or has failed, which may take as long as the producer
     * may block. Never throws, and the future never completes exceptionally.
     *
     * @param time when it happened; null: now
     * @param requestId identifies the reply
     * @param onStored receives the place of the record before the future completes; not called if that is not known
     */
    CompletableFuture<Outcome> publish(
            UserKey user, UserCommand command, @Nullable Instant time, UUID requestId, Consumer<Place> onStored);

    /** Publishes an edit of a tenant's ruleset, or of keys and tenants. @param author null: this process */
    CompletableFuture<Outcome> publish(TenantId tenant, Edit edit, @Nullable Author author, UUID requestId);

    /** Publishes a command about an object of a user, to the partition that the id of the object determines. */
    CompletableFuture<Outcome> publish(OwnedCommand command, UUID requestId);

    /** Publishes a command of a user without a reply. @param command as the log has it @param time when it happened; null: now */
    CompletableFuture<Outcome> publish(UserKey user, byte[] command, @Nullable Instant time);

    /** Writes a test of a webhook to the outbox, without a reply. The key is the tenant, which determines the partition like its id. */
    CompletableFuture<Outcome> publish(Outgoing.HookTest test);

    /** Writes the request for one more attempt to the partition of the outbox that the id of the delivery determines. */
    CompletableFuture<Outcome> publish(Outgoing.HookRetry retry, UUID requestId);

    /** Writes a tick of the present time to this partition of the log. */
    CompletableFuture<Outcome> publishTick(int partition, UUID requestId);

    /** Writes a question for delivery to this partition of the outbox. */
    CompletableFuture<Outcome> publishQuestion(int partition, UUID requestId);

    /** The number of partitions of the log. */
    int partitions();

    int outboxPartitions();

    /** Whether records are unacknowledged and none has been acknowledged for too long. */
    boolean isStalled();
}
