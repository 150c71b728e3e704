package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Retry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Starts flights to all webhooks of a partition as long as there is room in the air, webhooks taking turns, and takes in what
 * has landed. One task, one thread.
 */
final class Departures implements AutoCloseable {

    /** Of a step, so that none takes long. */
    private static final int MAX_STARTS = 2_000;

    /** Of who asks whether anything is left, with what is in the air; real time. */
    private static final long PATIENCE_NS = Duration.ofSeconds(5).toNanos();

    private final HookSettings settings;
    private final Flights flights;
    private final WebhookStore store;
    private final HookOutcomes outcomes;

    /** Of each webhook that had something to send since the start: a small object each. */
    private final Map<Endpoint, EndpointQueue> queues = new HashMap<>();

    /** Those that may have something to send now, each once. */
    private final Deque<EndpointQueue> ready = new ArrayDeque<>();
    private final Set<EndpointQueue> isReady = new HashSet<>();

    private final Set<Flight> inAir = new HashSet<>();
    private final Queue<Landing> landings = new ConcurrentLinkedQueue<>();

    /** No retry of a webhook that is neither ready nor full is due before: of those that are full a landing tells. */
    private long nextDueMs = Long.MIN_VALUE;

    Departures(HookSettings settings, Flights flights, WebhookStore store, HookOutcomes outcomes) {
        this.settings = settings;
        this.flights = flights;
        this.store = store;
        this.outcomes = outcomes;
        store.awaited().forEach(endpoint -> makeReady(queueOf(endpoint)));
    }

    HookDelivery.InLane add(Endpoint endpoint, byte[] lane, UUID delivery) {
        EndpointQueue queue = queueOf(endpoint);
        HookDelivery.InLane place = queue.add(lane, delivery);
        makeReady(queue);
        return place;
    }

    /** Writes down once more what lets a delivery be found at its place. @return false if it is not found there */
    boolean putAgain(Endpoint endpoint, UUID delivery, HookDelivery.Place place) {
        EndpointQueue queue = queueOf(endpoint);
        makeReady(queue);
        return queue.putAgain(delivery, place);
    }

    /** Gives a lane a turn if it has none. */
    void mend(Endpoint endpoint, byte[] lane) {
        EndpointQueue queue = queueOf(endpoint);
        if (queue.mend(lane)) {
            makeReady(queue);
        }
    }

    /** Gives a delivery its place if it has lost that. @return the new one; null if it is where it says */
    HookDelivery.Place mend(Endpoint endpoint, UUID delivery, HookDelivery.Place place) {
        EndpointQueue queue = queueOf(endpoint);
        HookDelivery.Place another = queue.mend(delivery, place);
        if (another != null) {
            makeReady(queue);
        }
        return another;
    }

    void add(Endpoint endpoint, Retry retry) {
        EndpointQueue queue = queueOf(endpoint);
        queue.add(retry);
        makeReady(queue);
    }

    private EndpointQueue queueOf(Endpoint endpoint) {
        return queues.computeIfAbsent(endpoint, e -> new EndpointQueue(store, e, outcomes));
    }

    private void makeReady(EndpointQueue queue) {
        if (isReady.add(queue)) {
            ready.add(queue);
        }
    }

    /** Takes in what has landed, and starts what can be started. */
    void go() {
        for (Landing landing = landings.poll(); landing != null; landing = landings.poll()) {
            land(landing);
        }
        long nowMs = settings.clock().millis();
        if (nowMs >= nextDueMs) {
            lookForRetries(nowMs);
        }
        for (int starts = 0; starts < MAX_STARTS && !ready.isEmpty() && inAir.size() < settings.limits().all()
                && flights.isOpen(); starts++) {
            EndpointQueue queue = ready.poll();
            if (isFull(queue)) {
                isReady.remove(queue); // a landing of its own wakes it, and nothing before could make it start any
                continue;
            }
            if (!queue.hasWork(nowMs)) {
                rest(queue);
                continue;
            }
            Flight flight = queue.next(nowMs);
            if (flight != null) {
                inAir.add(flight);
                flights.start(flight, landings::add);
            }
            ready.add(queue);
        }
    }

    /**
     * Whether anything is under way, or waits, is due and could go. A flight of which nothing has landed for 5 s of real time
     * counts no more, nor what waits behind such flights: a webhook that takes and never answers would have whoever moves
     * the test clock wait for as long as an attempt may take.
     */
    boolean areLeft(long nowMs) {
        return inAir.stream().anyMatch(flight -> flight.stillNs() < PATIENCE_NS)
                || queues.values().stream().anyMatch(queue -> !isFull(queue) && queue.hasWork(nowMs));
    }

    /** Webhooks for which something waits to be tried again. */
    int retrying() {
        return (int) queues.values().stream().filter(queue -> queue.retryDueMs() != Long.MAX_VALUE).count();
    }

    /** Whether a webhook has in the air what it may; that is one flight at the least. */
    private boolean isFull(EndpointQueue queue) {
        return queue.inAir() >= settings.limits().ofOne(inAir.size());
    }

    /** Until something of it lands, or comes, or is due. */
    private void rest(EndpointQueue queue) {
        isReady.remove(queue);
        nextDueMs = Math.min(nextDueMs, queue.retryDueMs());
    }

    private void lookForRetries(long nowMs) {
        nextDueMs = Long.MAX_VALUE;
        for (EndpointQueue queue : queues.values()) {
            if (queue.retryDueMs() <= nowMs) {
                makeReady(queue);
            } else {
                nextDueMs = Math.min(nextDueMs, queue.retryDueMs());
            }
        }
    }

    private void land(Landing landing) {
        Flight flight = landing.flight();
        EndpointQueue queue = queues.get(flight.endpoint());
        outcomes.landed(landing, queue);
        queue.landed(flight, landing.index());
        flight.moved();
        if (flight.isLast(landing.index())) {
            inAir.remove(flight);
            flights.ended();
        }
        makeReady(queue);
    }

    /** Cuts off what is in the air: it is still in the store, and sent again by whoever has the task next. */
    @Override
    public void close() {
        for (Flight flight : inAir) {
            flight.cancel();
            flights.ended();
        }
        inAir.clear();
    }
}
