package dev.laurel.delivery.webhook;

import static java.util.Objects.requireNonNull;

import dev.laurel.delivery.queue.DeliveryScheduler.GroupQueue;
import dev.laurel.delivery.queue.DueQueue;
import dev.laurel.delivery.store.DueIndex;
import dev.laurel.delivery.store.DueIndex.Entry;
import dev.laurel.delivery.store.EndpointLanes;
import dev.laurel.delivery.store.EndpointLanes.Lane;
import dev.laurel.delivery.store.EndpointLanes.Waiting;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.delivery.store.WebhookDelivery.InLane;
import dev.laurel.delivery.store.WebhookDelivery.Later;
import dev.laurel.delivery.store.WebhookDelivery.Position;
import dev.laurel.delivery.store.WebhookStore;
import dev.laurel.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.delivery.webhook.Webhooks.DeliveryBatch;
import dev.laurel.delivery.webhook.Webhooks.DeliveryBatch.Retry;
import dev.laurel.delivery.webhook.Webhooks.DeliveryBatch.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries that wait for one webhook in one partition: first attempts in lanes, others in a due queue. All of them are stored;
 * memory has only the position in the turns, and the deliveries in flight. One task, one thread.
 *
 * <p>Each user has a lane, in which deliveries wait in the order of their creation. At most one batch of a lane is in flight. Lanes
 * take turns: a lane gets the next number when a delivery enters it while it is empty, or when a batch of it has ended and deliveries
 * are left. So a user with many deliveries delays nobody else, and the next delivery is found by its number: no step reads more than
 * it sends. A turn stays stored until its batch has ended; after a crash it is taken again. A delivery that failed leaves its lane
 * and waits for its time.
 *
 * <p>A crash may lose the last writes, see {@link WebhookStore}. After any number of writes the state is usable: a lane never lacks a
 * turn, although a turn may lack a lane. {@link #repair} removes other traces of a crash.
 */
final class EndpointQueue implements GroupQueue<DeliveryBatch> {

    /** The limits of a batch: the number of deliveries, and the size from which on no further delivery is added. */
    static final int MAX_REQUESTS = 32;

    static final int MAX_BYTES = 64 * 1024;

    /** The most deliveries of a lane that one call skips. */
    private static final int MAX_SKIPPED = 64;

    private final Endpoint endpoint;
    private final EndpointLanes lanes;
    private final DueIndex retryIndex;
    private final DueQueue<DeliveryBatch> retries;
    private final Selector selector;

    /** The number of the next turn, and the number that the next lane gets. */
    private long nextTurn;

    private long endTurn;
    private boolean wasRetry;

    /** Selects what is sent. */
    interface Selector {

        /**
         * The request of a delivery; null: nothing is to be sent, and the store has the outcome.
         *
         * @param isAsked whether an operator asked for the attempt
         */
        @Nullable
        WebhookRequest select(Endpoint endpoint, UUID delivery, boolean isAsked);
    }

    EndpointQueue(WebhookStore store, Endpoint endpoint, Selector selector) {
        this.endpoint = endpoint;
        this.lanes = store.lanes(endpoint);
        this.retryIndex = store.retries(endpoint);
        this.selector = selector;
        this.retries = new DueQueue<>(retryIndex, this::retryOf);
        long first = lanes.firstTurn(0);
        this.nextTurn = Math.max(first, 0);
        this.endTurn = first < 0 ? 0 : lanes.lastTurn() + 1;
    }

    @Override
    public boolean hasWork(long nowMs) {
        return nextTurn < endTurn || retries.hasWork(nowMs);
    }

    @Override
    public long nextDueMs() {
        return retries.nextDueMs();
    }

    /** Adds a delivery to the end of its lane. @return its position */
    InLane add(byte[] lane, UUID delivery) {
        Lane state = lanes.lane(lane);
        if (state == null) {
            long turn = endTurn++;
            lanes.putTurn(turn, lane);
            lanes.putLane(lane, new Lane(delivery, 1, 1, turn));
            return new InLane(Bytes.wrap(lane), 0);
        }
        lanes.putWaiting(lane, state.end(), delivery);
        lanes.putLane(lane, new Lane(state.first(), state.next(), state.end() + 1, state.turn()));
        return new InLane(Bytes.wrap(lane), state.end());
    }

    /** Adds a delivery that is due at a time, independently of lanes. @return its position */
    Later add(UUID delivery, Later then) {
        Entry entry = then.entryOf(delivery);
        retryIndex.put(entry);
        retries.added(entry);
        return then;
    }

    /** Writes the entries of a delivery at its position again. @return false if it is not at its position */
    boolean putAgain(UUID delivery, Position position) {
        return switch (position) {
            case InLane(Bytes lane, long number) -> putAgain(delivery, lane.get(), number);
            case Later later -> {
                add(delivery, later);
                yield true;
            }
        };
    }

    private boolean putAgain(UUID delivery, byte[] lane, long number) {
        repair(lane);
        Lane state = lanes.lane(lane);
        if (state == null || !isWaiting(delivery, lane, state, number)) {
            return false;
        }
        lanes.putTurn(state.turn(), lane);
        if (!delivery.equals(state.first())) {
            lanes.putWaiting(lane, number, delivery);
        }
        lanes.putLane(lane, state);
        return true;
    }

    private boolean isWaiting(UUID delivery, byte[] lane, Lane state, long number) {
        return delivery.equals(state.first())
                || number >= state.next() && number < state.end() && delivery.equals(lanes.waiting(lane, number));
    }

    /** Adds a turn for a lane that has none. */
    void repair(byte[] lane) {
        Lane state = lanes.lane(lane);
        if (state != null && !Arrays.equals(lane, lanes.turn(state.turn()))) {
            long turn = endTurn++;
            lanes.putTurn(turn, lane);
            lanes.putLane(lane, state.withTurn(turn));
        }
    }

    /** Puts back a delivery that is not at its position. @return the new position; null: it is at its position */
    @Nullable
    Position repair(UUID delivery, Position position) {
        return switch (position) {
            case InLane(Bytes lane, long number) -> {
                Lane state = lanes.lane(lane.get());
                yield state != null && isWaiting(delivery, lane.get(), state, number)
                        ? null
                        : add(lane.get(), delivery);
            }
            case Later later -> {
                yield retryIndex.contains(later.entryOf(delivery)) ? null : add(delivery, later);
            }
        };
    }

    /** The next batch: first attempts and others alternate. */
    @Override
    public @Nullable DeliveryBatch next(long nowMs) {
        wasRetry = retries.hasWork(nowMs) && (nextTurn == endTurn || !wasRetry);
        if (wasRetry) {
            return retries.next(nowMs);
        }
        DeliveryBatch batch = nextTurn();
        if (batch != null) {
            batch.requests().forEach(request -> retries.startedElsewhere(request.delivery()));
        }
        return batch;
    }

    private @Nullable DeliveryBatch retryOf(Entry entry) {
        WebhookRequest request = selector.select(endpoint, entry.delivery(), entry.isAsked());
        return request == null ? null : new DeliveryBatch(endpoint, new Retry(entry), List.of(request));
    }

    private @Nullable DeliveryBatch nextTurn() {
        if (nextTurn == endTurn) {
            return null;
        }
        long number = nextTurn;
        byte[] lane = lanes.turn(number);
        if (lane == null) {
            // After a restart there are gaps: some turns had ended before others that had begun earlier.
            long next = lanes.firstTurn(number);
            nextTurn = next < 0 ? endTurn : next;
            return null;
        }
        var requests = new ArrayList<WebhookRequest>();
        Lane stored = lanes.lane(lane);
        // A crash has left the turn if the lane has another one.
        Lane state = stored != null && stored.turn() == number ? stored : null;
        for (int skipped = 0; state != null && requests.isEmpty() && skipped < MAX_SKIPPED; skipped++) {
            WebhookRequest first = selector.select(endpoint, state.first(), false);
            if (first == null) {
                state = withoutFirst(lane, state);
            } else {
                requests.add(first);
                addMore(requests, lane, state);
            }
        }
        if (state == null) {
            lanes.deleteTurn(number);
        }
        if (state == null || !requests.isEmpty()) {
            nextTurn++;
        }
        return requests.isEmpty() ? null : new DeliveryBatch(endpoint, new Turn(number, lane), requests);
    }

    /** Adds the deliveries behind the first one. Stops at a gap, and at a delivery that has ended. */
    private void addMore(List<WebhookRequest> requests, byte[] lane, Lane state) {
        int bytes = requests.getFirst().body().length;
        for (long number = state.next();
                number < state.end() && requests.size() < MAX_REQUESTS && bytes < MAX_BYTES;
                number++) {
            UUID next = lanes.waiting(lane, number);
            WebhookRequest request = next == null ? null : selector.select(endpoint, next, false);
            if (request == null) {
                return; // a gap, or a delivery that has ended: it is skipped when it is the first one
            }
            requests.add(request);
            bytes += request.body().length;
        }
    }

    /** The delivery behind the first one of a lane; null if there is none. After a crash there may be gaps. */
    private @Nullable Waiting second(byte[] lane, Lane state) {
        if (state.isLast()) {
            return null;
        }
        UUID next = lanes.waiting(lane, state.next());
        return next == null ? lanes.firstWaiting(lane, state.next(), state.end()) : new Waiting(state.next(), next);
    }

    /** Removes the first delivery of a lane within its turn. @return null if nothing is left in the lane */
    private @Nullable Lane withoutFirst(byte[] lane, Lane state) {
        Waiting second = second(lane, state);
        if (second == null) {
            lanes.deleteLane(lane);
            return null;
        }
        return advance(lane, state, second, state.turn());
    }

    /** Removes the first delivery of a lane. @param second the delivery behind it @param turn the lane's turn from now on */
    private Lane advance(byte[] lane, Lane state, Waiting second, long turn) {
        var advanced = new Lane(second.delivery(), second.number() + 1, state.end(), turn);
        lanes.putLane(lane, advanced);
        lanes.deleteWaiting(lane, second.number());
        return advanced;
    }

    /** Removes a delivery, whose outcome is stored, from its position. */
    void completed(DeliveryBatch batch, int index) {
        switch (batch.origin()) {
            case Retry(Entry entry) -> {
                retryIndex.delete(entry);
                retries.ended(batch.deliveryAt(index), entry);
            }
            case Turn(long number, byte[] lane) -> {
                completed(number, lane, batch.isLast(index));
                retries.ended(batch.deliveryAt(index), null);
            }
        }
    }

    private void completed(long turn, byte[] lane, boolean isLast) {
        Lane state = requireNonNull(lanes.lane(lane), "a lane is stored while a batch of it is in flight");
        if (!isLast) {
            withoutFirst(lane, state);
            return;
        }
        Waiting second = second(lane, state);
        if (second == null) {
            lanes.deleteLane(lane);
        } else {
            long another = endTurn++;
            lanes.putTurn(another, lane);
            advance(lane, state, second, another);
        }
        lanes.deleteTurn(turn);
    }
}
