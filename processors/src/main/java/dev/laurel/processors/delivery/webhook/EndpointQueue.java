package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.delivery.webhook.Flight.Again;
import dev.laurel.processors.delivery.webhook.Flight.Turn;
import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Lane;
import dev.laurel.processors.store.WebhookStore.Retry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

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
 * a turn, though a turn may lack a lane.
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
    private final Set<ByteBuffer> lanesInAir = new HashSet<>();

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

    /** Lets a delivery wait at the end of its lane. */
    void add(byte[] lane, UUID delivery) {
        Lane there = store.lane(endpoint, lane);
        if (there == null) {
            store.putTurn(endpoint, endTurn++, lane);
            store.putLane(endpoint, lane, new Lane(delivery, 0, 0));
        } else {
            store.putWaiting(endpoint, lane, there.end(), delivery);
            store.putLane(endpoint, lane, new Lane(there.first(), there.next(), there.end() + 1));
        }
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
        boolean isOver = lanesInAir.contains(ByteBuffer.wrap(lane)) || store.lane(endpoint, lane) == null;
        for (int dropped = 0; !isOver && posts.isEmpty() && dropped < MAX_DROPS; dropped++) {
            Lane there = store.lane(endpoint, lane);
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
        lanesInAir.add(ByteBuffer.wrap(lane));
        return new Flight(endpoint, new Turn(number, lane), posts);
    }

    /** The deliveries behind the first, up to one that is to be left out. */
    private void addMore(List<Post> posts, byte[] lane, Lane there) {
        int bytes = posts.getFirst().body().length;
        for (long number = there.next(); number < there.end() && posts.size() < MAX_POSTS
                && bytes < MAX_BYTES; number++) {
            Post post = judge.post(endpoint, store.waiting(endpoint, lane, number), false);
            if (post == null) {
                return; // settled; when it comes to it, it is passed over
            }
            posts.add(post);
            bytes += post.body().length;
        }
    }

    /** The first of the lane is done with. @return false if nothing is left in it */
    private boolean advance(byte[] lane, Lane there) {
        if (there.isLast()) {
            store.deleteLane(endpoint, lane);
            return false;
        }
        store.putLane(endpoint, lane,
                new Lane(store.waiting(endpoint, lane, there.next()), there.next() + 1, there.end()));
        store.deleteWaiting(endpoint, lane, there.next());
        return true;
    }

    /** What came of a delivery is in the store: it leaves its place. */
    void landed(Flight flight, int index) {
        UUID delivery = flight.deliveryAt(index);
        deliveriesInAir.remove(delivery);
        switch (flight.reason()) {
            case Again(Retry retry) -> store.deleteRetry(endpoint, retry);
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
        boolean isMore = advance(lane, store.lane(endpoint, lane));
        if (!isLast) {
            return;
        }
        lanesInAir.remove(ByteBuffer.wrap(lane));
        if (isMore) {
            store.putTurn(endpoint, endTurn++, lane);
        }
        store.deleteTurn(endpoint, number);
    }
}
