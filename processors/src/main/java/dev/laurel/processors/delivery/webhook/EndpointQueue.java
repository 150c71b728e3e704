package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.delivery.webhook.Flight.Again;
import dev.laurel.processors.delivery.webhook.Flight.Turn;
import dev.laurel.processors.delivery.webhook.HookDelivery.InLane;
import dev.laurel.processors.delivery.webhook.HookDelivery.Later;
import dev.laurel.processors.delivery.webhook.HookDelivery.Place;
import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Lane;
import dev.laurel.processors.store.WebhookStore.Retry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/**
 * What waits for one webhook in one partition. All of it is in the store; here is only what is in the air, and how far the
 * turns have come. One task, one thread.
 *
 * <p>Each user has a lane, in which deliveries wait in the order in which they were made, and of which one flight is in the
 * air at most. Lanes take turns: a lane gets a number when something comes into it that was empty, or when a flight of it has
 * landed and something is left. So whoever has very many waiting holds up nobody else, and the next to be sent is found by
 * its number: no step looks at more than it sends. A turn stays in the store until its flight has landed; after a crash it
 * comes again. What failed leaves its lane and waits for its time among the retries.
 *
 * <p>Writes are in such an order that any first part of them can be lived with, see {@link WebhookStore}: a lane never lacks
 * a turn, though a turn may lack a lane. What a crash leaves may also be a mixture, of a local disk that was ahead of the
 * changelog and what the changelog has, or of what two lives have written to it: {@link Mending} looks through it.
 */
final class EndpointQueue {

    /** Deliveries of one flight, and about how large they may be together. */
    static final int MAX_POSTS = 32;
    static final int MAX_BYTES = 64 * 1024;

    /** What must be left out is passed over in steps of so many. */
    private static final int MAX_DROPS = 64;

    private static final UUID LAST_ID = new UUID(-1, -1);

    private final WebhookStore store;
    private final Endpoint endpoint;
    private final Judge judge;

    /** Number of the turn that comes next, and the one that the next lane gets. */
    private long nextTurn;
    private long endTurn;

    /** The retries up to this one are in the air, done, or put off; null: none is. */
    private Retry lastRetry;

    /** The one behind it; null if there is none. */
    private Retry nextRetry;

    private boolean wasRetry;
    private int inAir;

    /** What is in the air, and for which retry; null if it was its turn. */
    private final Map<UUID, Retry> deliveriesInAir = new HashMap<>();

    /** Retries of what is in the air for another reason. */
    private final Map<UUID, Retry> putOff = new HashMap<>();

    /** Decides what is sent. */
    interface Judge {

        /**
         * What is to be sent now; null if nothing is, and then that is settled in the store.
         *
         * @param isAsked by an operator
         */
        Post post(Endpoint endpoint, UUID delivery, boolean isAsked);
    }

    EndpointQueue(WebhookStore store, Endpoint endpoint, Judge judge) {
        this.store = store;
        this.endpoint = endpoint;
        this.judge = judge;
        long first = store.firstTurn(endpoint, 0);
        this.nextTurn = Math.max(first, 0);
        this.endTurn = first < 0 ? 0 : store.lastTurn(endpoint) + 1;
        this.nextRetry = store.firstRetry(endpoint, null);
    }

    int inAir() {
        return inAir;
    }

    boolean hasWork(long nowMs) {
        return nextTurn < endTurn || retryDueMs() <= nowMs;
    }

    /** When something is to be tried again; {@link Long#MAX_VALUE} if nothing is. */
    long retryDueMs() {
        return nextRetry == null ? Long.MAX_VALUE : nextRetry.dueMs();
    }

    /** Lets a delivery wait at the end of its lane. @return where that is */
    InLane add(byte[] lane, UUID delivery) {
        Lane there = store.lane(endpoint, lane);
        if (there == null) {
            long turn = endTurn++;
            store.putTurn(endpoint, turn, lane);
            store.putLane(endpoint, lane, new Lane(delivery, 1, 1, turn));
            return new InLane(Bytes.wrap(lane), 0);
        }
        store.putWaiting(endpoint, lane, there.end(), delivery);
        store.putLane(endpoint, lane, new Lane(there.first(), there.next(), there.end() + 1, there.turn()));
        return new InLane(Bytes.wrap(lane), there.end());
    }

    /** Writes down once more what lets a delivery be found at its place. @return false if it is not found there */
    boolean putAgain(UUID delivery, Place place) {
        return switch (place) {
            case InLane(Bytes lane, long number) -> putAgain(delivery, lane.get(), number);
            case Later(long dueMs, boolean isAsked) -> {
                add(new Retry(dueMs, delivery, isAsked));
                yield true;
            }
        };
    }

    private boolean putAgain(UUID delivery, byte[] lane, long number) {
        mend(lane);
        Lane there = store.lane(endpoint, lane);
        if (!isThere(delivery, lane, there, number)) {
            return false;
        }
        store.putTurn(endpoint, there.turn(), lane);
        if (!delivery.equals(there.first())) {
            store.putWaiting(endpoint, lane, number, delivery);
        }
        store.putLane(endpoint, lane, there);
        return true;
    }

    private boolean isThere(UUID delivery, byte[] lane, Lane there, long number) {
        return there != null && (delivery.equals(there.first()) || number >= there.next() && number < there.end()
                && delivery.equals(store.waiting(endpoint, lane, number)));
    }

    private boolean hasTurn(byte[] lane, Lane there) {
        return Arrays.equals(lane, store.turn(endpoint, there.turn()));
    }

    /** Gives a lane a turn if it has none. @return whether it had none */
    boolean mend(byte[] lane) {
        Lane there = store.lane(endpoint, lane);
        if (there == null || hasTurn(lane, there)) {
            return false;
        }
        long turn = endTurn++;
        store.putTurn(endpoint, turn, lane);
        store.putLane(endpoint, lane, new Lane(there.first(), there.next(), there.end(), turn));
        return true;
    }

    /** Gives a delivery its place if it has lost that. @return the new one; null if it is where it says */
    Place mend(UUID delivery, Place place) {
        return switch (place) {
            case InLane(Bytes lane, long number) ->
                isThere(delivery, lane.get(), store.lane(endpoint, lane.get()), number)
                        ? null
                        : add(lane.get(), delivery);
            case Later(long dueMs, boolean isAsked) -> {
                if (store.hasRetry(endpoint, dueMs, delivery)) {
                    yield null;
                }
                add(new Retry(dueMs, delivery, isAsked));
                yield place;
            }
        };
    }

    /** Has a delivery tried again, whatever waits before it. */
    void add(Retry retry) {
        store.putRetry(endpoint, retry);
        goBackTo(retry);
    }

    /** It is the next one, unless others come before it. */
    private void goBackTo(Retry retry) {
        if (lastRetry != null && compare(retry, lastRetry) <= 0) {
            lastRetry = new Retry(retry.dueMs() - 1, LAST_ID, false);
        }
        if (nextRetry == null || compare(retry, nextRetry) <= 0) {
            nextRetry = retry;
        }
    }

    private static int compare(Retry a, Retry b) {
        int byTime = Long.compare(a.dueMs(), b.dueMs());
        return byTime != 0 ? byTime : compare(a.id(), b.id());
    }

    /** In the order of the bytes. */
    private static int compare(UUID a, UUID b) {
        int byMost = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return byMost != 0
                ? byMost
                : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }

    /**
     * The next flight, turns and retries by turns; null if there is none. {@link #hasWork} may still hold then: there was
     * much to be left out, and the next call goes on with that.
     */
    Flight next(long nowMs) {
        boolean isRetryDue = retryDueMs() <= nowMs;
        wasRetry = isRetryDue && (nextTurn == endTurn || !wasRetry);
        Flight flight = wasRetry ? nextRetry(nowMs) : nextTurn();
        if (flight != null) {
            inAir++;
            Retry retry = flight.reason() instanceof Again(Retry again) ? again : null;
            flight.posts().forEach(post -> deliveriesInAir.put(post.delivery(), retry));
        }
        return flight;
    }

    private Flight nextRetry(long nowMs) {
        for (int dropped = 0; dropped < MAX_DROPS && retryDueMs() <= nowMs; dropped++) {
            Retry retry = nextRetry;
            lastRetry = retry;
            nextRetry = store.firstRetry(endpoint, lastRetry);
            if (deliveriesInAir.containsKey(retry.id())) {
                putOff(retry);
            } else {
                Post post = judge.post(endpoint, retry.id(), retry.isAsked());
                if (post != null) {
                    return new Flight(endpoint, new Again(retry), List.of(post));
                }
                store.deleteRetry(endpoint, retry);
            }
        }
        return null;
    }

    /** Until what is in the air has landed. */
    private void putOff(Retry retry) {
        if (!retry.equals(deliveriesInAir.get(retry.id()))) {
            putOff.merge(retry.id(), retry, (a, b) -> compare(a, b) <= 0 ? a : b);
        }
    }

    private Flight nextTurn() {
        if (nextTurn == endTurn) {
            return null;
        }
        long number = nextTurn;
        byte[] lane = store.turn(endpoint, number);
        if (lane == null) {
            // After a restart there are gaps: turns that had come to an end before others that had begun earlier.
            long next = store.firstTurn(endpoint, number);
            nextTurn = next < 0 ? endTurn : next;
            return null;
        }
        var posts = new ArrayList<Post>();
        Lane there = store.lane(endpoint, lane);
        // Left over by a crash, if it is not the one that the lane has.
        boolean isOver = there == null || there.turn() != number;
        for (int dropped = 0; !isOver && posts.isEmpty() && dropped < MAX_DROPS; dropped++) {
            there = store.lane(endpoint, lane);
            Post first = judge.post(endpoint, there.first(), false);
            if (first == null) {
                isOver = !advance(lane, there);
            } else {
                posts.add(first);
                addMore(posts, lane, there);
            }
        }
        if (isOver) {
            store.deleteTurn(endpoint, number);
        }
        if (isOver || !posts.isEmpty()) {
            nextTurn++;
        }
        if (posts.isEmpty()) {
            return null;
        }
        return new Flight(endpoint, new Turn(number, lane), posts);
    }

    /** The deliveries behind the first, up to one that is to be left out. */
    private void addMore(List<Post> posts, byte[] lane, Lane there) {
        int bytes = posts.getFirst().body().length;
        for (long number = there.next(); number < there.end() && posts.size() < MAX_POSTS
                && bytes < MAX_BYTES; number++) {
            UUID next = store.waiting(endpoint, lane, number);
            Post post = next == null ? null : judge.post(endpoint, next, false);
            if (post == null) {
                return; // a gap, or settled; when it comes to it, it is passed over
            }
            posts.add(post);
            bytes += post.body().length;
        }
    }

    /** The first of the lane is done with. @return false if nothing is left in it */
    private boolean advance(byte[] lane, Lane there) {
        return advance(lane, there, there.turn());
    }

    private boolean advance(byte[] lane, Lane there, long turn) {
        long number = nextWaiting(lane, there);
        if (number < 0) {
            store.deleteLane(endpoint, lane);
            return false;
        }
        store.putLane(endpoint, lane, new Lane(store.waiting(endpoint, lane, number), number + 1, there.end(), turn));
        store.deleteWaiting(endpoint, lane, number);
        return true;
    }

    /** -1 if there is none. After a crash there may be gaps. */
    private long nextWaiting(byte[] lane, Lane there) {
        if (there.isLast()) {
            return -1;
        }
        if (store.waiting(endpoint, lane, there.next()) != null) {
            return there.next();
        }
        long number = store.firstWaiting(endpoint, lane, there.next(), there.end());
        return number < there.end() ? number : -1;
    }

    /** What came of a delivery is in the store: it leaves its place. */
    void landed(Flight flight, int index) {
        UUID delivery = flight.deliveryAt(index);
        deliveriesInAir.remove(delivery);
        switch (flight.reason()) {
            case Again(Retry retry) -> {
                store.deleteRetry(endpoint, retry);
                if (retry.equals(nextRetry)) {
                    nextRetry = store.firstRetry(endpoint, retry); // it was put again meanwhile
                }
            }
            case Turn(long number, byte[] lane) -> turnLanded(number, lane, flight.isLast(index));
        }
        Retry waiting = putOff.remove(delivery);
        if (waiting != null) {
            goBackTo(waiting);
        }
        if (flight.isLast(index)) {
            inAir--;
        }
    }

    private void turnLanded(long number, byte[] lane, boolean isLast) {
        Lane there = store.lane(endpoint, lane);
        if (!isLast) {
            advance(lane, there);
            return;
        }
        if (nextWaiting(lane, there) >= 0) {
            long turn = endTurn++;
            store.putTurn(endpoint, turn, lane);
            advance(lane, there, turn);
        } else {
            store.deleteLane(endpoint, lane);
        }
        store.deleteTurn(endpoint, number);
    }
}
