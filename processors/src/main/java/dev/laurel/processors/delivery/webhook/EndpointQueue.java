package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.delivery.queue.DueQueue;
import dev.laurel.processors.delivery.queue.GroupQueue;
import dev.laurel.processors.delivery.webhook.DeliveryBatch.Retry;
import dev.laurel.processors.delivery.webhook.DeliveryBatch.Turn;
import dev.laurel.processors.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.processors.store.DueIndex;
import dev.laurel.processors.store.DueIndex.Entry;
import dev.laurel.processors.store.EndpointLanes;
import dev.laurel.processors.store.EndpointLanes.Lane;
import dev.laurel.processors.store.WebhookDelivery.InLane;
import dev.laurel.processors.store.WebhookDelivery.Later;
import dev.laurel.processors.store.WebhookDelivery.Position;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Endpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one webhook in one partition: first attempts in lanes, others in a due queue. All of it is stored; memory has
 * only how far the turns have come and what is in flight. One task, one thread.
 *
 * <p>Each user has a lane, in which deliveries wait in the order in which they were made, and of which one batch is in flight at
 * most. Lanes take turns: a lane gets a number when something comes into it that was empty, or when a batch of it has ended and
 * something is left. So a user with very much to send holds up nobody else, and the next to be sent is found by its number: no
 * step looks at more than it sends. A turn stays stored until its batch has ended; after a crash it comes again. What failed
 * leaves its lane and waits for its time.
 *
 * <p>Any first part of the writes leaves a usable state, see {@link WebhookStore}: a lane never lacks a turn, though a turn may
 * lack a lane. What else a crash may leave is repaired by {@link #repair}.
 */
final class EndpointQueue implements GroupQueue<DeliveryBatch> {

    /** Deliveries of one batch, and about how large they may be together. */
    static final int MAX_REQUESTS = 32;
    static final int MAX_BYTES = 64 * 1024;

    /** Deliveries of one lane that are skipped in one call. */
    private static final int MAX_SKIPPED = 64;

    private final Endpoint endpoint;
    private final EndpointLanes lanes;
    private final DueIndex retryIndex;
    private final DueQueue<DeliveryBatch> retries;
    private final Selector selector;

    /** Number of the turn that comes next, and the one that the next lane gets. */
    private long nextTurn;
    private long endTurn;
    private boolean wasRetry;

    /** Decides what is sent. */
    interface Selector {

        /**
         * What is to be sent now; null if nothing is, and then that is settled in the store.
         *
         * @param isAsked by an operator
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

    /** Has a delivery wait at the end of its lane. @return where that is */
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

    /** Has a delivery sent when its time has come, whatever waits in lanes. */
    void add(Entry entry) {
        retryIndex.put(entry);
        retries.added(entry);
    }

    /** Writes once more what lets a delivery be found at its position. @return false if it is not there */
    boolean putAgain(UUID delivery, Position position) {
        return switch (position) {
            case InLane(Bytes lane, long number) -> putAgain(delivery, lane.get(), number);
            case Later later -> {
                add(later.entryOf(delivery));
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
        return delivery.equals(state.first()) || number >= state.next() && number < state.end()
                && delivery.equals(lanes.waiting(lane, number));
    }

    /** Gives a lane a turn if it has none. */
    void repair(byte[] lane) {
        Lane state = lanes.lane(lane);
        if (state != null && !Arrays.equals(lane, lanes.turn(state.turn()))) {
            long turn = endTurn++;
            lanes.putTurn(turn, lane);
            lanes.putLane(lane, state.withTurn(turn));
        }
    }

    /** Puts a delivery back that is not found at its position. @return the new position; null if it was found */
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
                if (retryIndex.contains(later.entryOf(delivery))) {
                    yield null;
                }
                add(later.entryOf(delivery));
                yield later;
            }
        };
    }

    /** The next batch: first attempts and others by turns. */
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
            // After a restart there are gaps: turns that had ended before others that had begun earlier.
            long next = lanes.firstTurn(number);
            nextTurn = next < 0 ? endTurn : next;
            return null;
        }
        var requests = new ArrayList<WebhookRequest>();
        Lane state = lanes.lane(lane);
        // Left by a crash, if it is not the turn that the lane has.
        boolean isOver = state == null || state.turn() != number;
        for (int skipped = 0; !isOver && requests.isEmpty() && skipped < MAX_SKIPPED; skipped++) {
            state = lanes.lane(lane);
            WebhookRequest first = selector.select(endpoint, state.first(), false);
            if (first == null) {
                isOver = !advance(lane, state, number);
            } else {
                requests.add(first);
                addMore(requests, lane, state);
            }
        }
        if (isOver) {
            lanes.deleteTurn(number);
        }
        if (isOver || !requests.isEmpty()) {
            nextTurn++;
        }
        return requests.isEmpty() ? null : new DeliveryBatch(endpoint, new Turn(number, lane), requests);
    }

    /** The deliveries behind the first, up to one that has to be left out. */
    private void addMore(List<WebhookRequest> requests, byte[] lane, Lane state) {
        int bytes = requests.getFirst().body().length;
        for (long number = state.next(); number < state.end() && requests.size() < MAX_REQUESTS
                && bytes < MAX_BYTES; number++) {
            UUID next = lanes.waiting(lane, number);
            WebhookRequest request = next == null ? null : selector.select(endpoint, next, false);
            if (request == null) {
                return; // a gap, or settled: it is skipped when it is first
            }
            requests.add(request);
            bytes += request.body().length;
        }
    }

    /** Removes the first delivery of the lane, whose next turn is the given one. @return false if nothing is left in it */
    private boolean advance(byte[] lane, Lane state, long turn) {
        long number = nextWaiting(lane, state);
        if (number < 0) {
            lanes.deleteLane(lane);
            return false;
        }
        lanes.putLane(lane, new Lane(lanes.waiting(lane, number), number + 1, state.end(), turn));
        lanes.deleteWaiting(lane, number);
        return true;
    }

    /** -1 if there is none. After a crash there may be gaps. */
    private long nextWaiting(byte[] lane, Lane state) {
        if (state.isLast()) {
            return -1;
        }
        return lanes.waiting(lane, state.next()) == null
                ? lanes.firstWaiting(lane, state.next(), state.end())
                : state.next();
    }

    /** The outcome of a delivery is stored: it leaves its position. */
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
        Lane state = lanes.lane(lane);
        if (!isLast) {
            advance(lane, state, state.turn());
            return;
        }
        if (nextWaiting(lane, state) >= 0) {
            long another = endTurn++;
            lanes.putTurn(another, lane);
            advance(lane, state, another);
        } else {
            lanes.deleteLane(lane);
        }
        lanes.deleteTurn(turn);
    }
}
