package dev.laurel.gateway;

import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.gateway.RequestResult.Place;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.CommandJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records publications, ends each with the configured outcome, and lets a test reply. */
public final class FakePublisher implements Publisher {

    public final List<UserKey> users = new CopyOnWriteArrayList<>();
    public final List<Command> commands = new CopyOnWriteArrayList<>();
    public final List<Edit> edits = new CopyOnWriteArrayList<>();
    /** The authors of the edits. */
    public final List<Optional<Author>> authors = new CopyOnWriteArrayList<>();

    public final List<Outgoing> outbox = new CopyOnWriteArrayList<>();

    /** The partitions that got a tick, in order. */
    public final List<Integer> ticks = new CopyOnWriteArrayList<>();

    public final List<Integer> questions = new CopyOnWriteArrayList<>();
    public volatile int partitions = 3;

    /** The times of the events of batches. */
    public final List<Optional<Instant>> times = new CopyOnWriteArrayList<>();
    /** The outcomes of the next events of batches; the default outcome when empty. */
    public final Queue<CompletableFuture<Outcome>> outcomes = new ConcurrentLinkedQueue<>();

    public volatile CompletableFuture<Outcome> outcome = CompletableFuture.completedFuture(Outcome.STORED);
    /** Called with the id of each request before its publication ends. */
    public volatile Consumer<UUID> onRequest = _ -> {};

    public volatile boolean isStalled;
    private final Waiters waiters = new Waiters();

    /** A client that publishes here. */
    public RequestReplyClient client(int maxInFlight, Duration timeout) {
        return new RequestReplyClient(
                this, waiters, maxInFlight, timeout, new LeaderboardCircuitBreaker(System::nanoTime));
    }

    /** Replies to a request of the client. */
    public void reply(UUID requestId, RequestResult.Replied reply, List<String> awaits) {
        waiters.reply(requestId, reply, awaits);
    }

    /** Adds a part to the reply to a request of the client. */
    public void part(UUID requestId, String name, byte[] body) {
        waiters.part(requestId, name, body);
    }

    @Override
    public CompletableFuture<Outcome> publish(TenantId tenant, Edit edit, @Nullable Author author, UUID requestId) {
        edits.add(edit);
        authors.add(Optional.ofNullable(author));
        onRequest.accept(requestId);
        return outcome;
    }

    @Override
    public synchronized CompletableFuture<Outcome> publish(OwnedCommand command, UUID requestId) {
        commands.add(command);
        onRequest.accept(requestId);
        return outcome;
    }

    @Override
    public CompletableFuture<Outcome> publish(UserKey user, byte[] command, Instant time) {
        users.add(user);
        try {
            commands.add(CommandJson.read(command));
        } catch (BadInputException e) {
            throw new IllegalArgumentException("no command of the log", e);
        }
        times.add(Optional.ofNullable(time));
        return outcomes.isEmpty() ? outcome : outcomes.poll();
    }

    @Override
    public synchronized CompletableFuture<Outcome> publish(
            UserKey user, UserCommand command, @Nullable Instant time, UUID requestId, Consumer<Place> onStored) {
        users.add(user);
        commands.add(command);
        if (time != null) {
            times.add(Optional.of(time));
        }
        onRequest.accept(requestId);
        outcome.thenAccept(ended -> {
            if (ended == Outcome.STORED) {
                onStored.accept(new Place("laurel.commands", 1, commands.size() - 1L));
            }
        });
        return outcome;
    }

    @Override
    public CompletableFuture<Outcome> publish(Outgoing.HookTest test) {
        outbox.add(test);
        return outcome;
    }

    @Override
    public CompletableFuture<Outcome> publish(Outgoing.HookRetry retry, UUID requestId) {
        outbox.add(retry);
        onRequest.accept(requestId);
        return outcome;
    }

    @Override
    public CompletableFuture<Outcome> publishQuestion(int partition, UUID requestId) {
        questions.add(partition);
        onRequest.accept(requestId);
        return outcome;
    }

    @Override
    public CompletableFuture<Outcome> publishTick(int partition, UUID requestId) {
        ticks.add(partition);
        onRequest.accept(requestId);
        return outcome;
    }

    @Override
    public int outboxPartitions() {
        return partitions();
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public boolean isStalled() {
        return isStalled;
    }
}
