package dev.laurel.processors.store;

import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one webhook, as they are stored: first attempts that wait, one lane for each user, and the numbers by which
 * lanes take turns. One thread.
 */
public final class EndpointLanes {

    private final KeyValueStore<Bytes, byte[]> store;
    private final WebhookStore.Endpoint endpoint;

    /**
     * A lane exists while something waits in it.
     *
     * @param first the delivery that is sent now or next
     * @param next number of the delivery behind it
     * @param end number of the delivery that comes next; {@code next} if nothing is behind the first
     * @param turn number of its turn
     */
    public record Lane(UUID first, long next, long end, long turn) {

        public boolean isLast() {
            return next == end;
        }

        public Lane withTurn(long another) {
            return new Lane(first, next, end, another);
        }
    }

    EndpointLanes(KeyValueStore<Bytes, byte[]> store, WebhookStore.Endpoint endpoint) {
        this.store = store;
        this.endpoint = endpoint;
    }

    /** Null if nothing waits in it. */
    public @Nullable Lane lane(byte[] lane) {
        return WebhookCodecs.LANE.decode(store.get(WebhookKeys.lane(endpoint, lane)));
    }

    public void putLane(byte[] lane, Lane state) {
        store.put(WebhookKeys.lane(endpoint, lane), WebhookCodecs.LANE.encode(state));
    }

    public void deleteLane(byte[] lane) {
        store.delete(WebhookKeys.lane(endpoint, lane));
    }

    // Deliveries behind the first of their lane.

    public @Nullable UUID waiting(byte[] lane, long number) {
        return WebhookCodecs.ID.decode(store.get(WebhookKeys.waiting(endpoint, lane, number)));
    }

    public void putWaiting(byte[] lane, long number, UUID id) {
        store.put(WebhookKeys.waiting(endpoint, lane, number), WebhookCodecs.ID.encode(id));
    }

    public void deleteWaiting(byte[] lane, long number) {
        store.delete(WebhookKeys.waiting(endpoint, lane, number));
    }

    /** The first number in [from, end) at which a delivery waits; -1 if none does. */
    public long firstWaiting(byte[] lane, long from, long end) {
        List<Bytes> found = StoreScans.keys(store, WebhookKeys.waiting(endpoint, lane, from),
                WebhookKeys.waiting(endpoint, lane, end), 1);
        long number = found.isEmpty() ? end : WebhookKeys.numberOf(found.getFirst());
        return number < end ? number : -1;
    }

    // Turns: which lane comes next.

    /** The lane of a turn; null if there is none. */
    public byte @Nullable [] turn(long number) {
        return WebhookCodecs.BYTES.decode(store.get(WebhookKeys.turn(endpoint, number)));
    }

    public void putTurn(long number, byte[] lane) {
        store.put(WebhookKeys.turn(endpoint, number), WebhookCodecs.BYTES.encode(lane));
    }

    public void deleteTurn(long number) {
        store.delete(WebhookKeys.turn(endpoint, number));
    }

    /** The lowest number of a turn from this one on; -1 if there is none. */
    public long firstTurn(long from) {
        List<Bytes> found = StoreScans.keys(store, WebhookKeys.turn(endpoint, from),
                WebhookKeys.afterAll(WebhookKeys.TURN, endpoint), 1);
        return found.isEmpty() ? -1 : WebhookKeys.turnOf(found.getFirst());
    }

    /** The highest number of a turn; -1 if there is none. */
    public long lastTurn() {
        try (var found = store.reverseRange(WebhookKeys.turn(endpoint, 0),
                WebhookKeys.afterAll(WebhookKeys.TURN, endpoint))) {
            return found.hasNext() ? WebhookKeys.turnOf(found.next().key) : -1;
        }
    }
}
