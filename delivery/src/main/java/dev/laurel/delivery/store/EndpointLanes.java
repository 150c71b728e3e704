package dev.laurel.delivery.store;

import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.StoreScans;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The stored lanes of one webhook. A lane is the queue of a user's first attempts; turns are the order in which lanes are served.
 * One thread.
 */
public record EndpointLanes(KeyValueStore<Bytes, byte[]> store, Endpoint endpoint) {

    static final Codec<Lane> LANE = Codec.of("lane", 2, Lane.class);
    static final Codec<UUID> ID = Codec.of("id of a delivery", 1, UUID.class);
    static final Codec<byte[]> KEY = Codec.of("key of a lane", 1, byte[].class);

    /**
     * The state of a lane, which exists while a delivery waits in it.
     *
     * @param first the delivery that is sent now or next
     * @param next number of the delivery behind the first
     * @param end number of the next delivery to be added; {@code next} if nothing is behind the first
     * @param turn number of the lane's turn
     */
    public record Lane(UUID first, long next, long end, long turn) {

        public boolean isLast() {
            return next == end;
        }

        public Lane withTurn(long another) {
            return new Lane(first, next, end, another);
        }
    }

    /** A delivery behind the first one of its lane. @param number within the lane */
    public record Waiting(long number, UUID delivery) {}

    public @Nullable Lane lane(byte[] lane) {
        return LANE.decodeIfPresent(store.get(WebhookKeys.lane(endpoint, lane)));
    }

    public void putLane(byte[] lane, Lane state) {
        store.put(WebhookKeys.lane(endpoint, lane), LANE.encode(state));
    }

    public void deleteLane(byte[] lane) {
        store.delete(WebhookKeys.lane(endpoint, lane));
    }

    // Deliveries behind the first one of their lane.

    public @Nullable UUID waiting(byte[] lane, long number) {
        return ID.decodeIfPresent(store.get(WebhookKeys.waiting(endpoint, lane, number)));
    }

    public void putWaiting(byte[] lane, long number, UUID id) {
        store.put(WebhookKeys.waiting(endpoint, lane, number), ID.encode(id));
    }

    public void deleteWaiting(byte[] lane, long number) {
        store.delete(WebhookKeys.waiting(endpoint, lane, number));
    }

    /** The first delivery whose number is in [from, end); null if there is none. */
    public @Nullable Waiting firstWaiting(byte[] lane, long from, long end) {
        return StoreScans.read(
                        store,
                        WebhookKeys.waiting(endpoint, lane, from),
                        WebhookKeys.waiting(endpoint, lane, end),
                        1,
                        entry -> new Waiting(WebhookKeys.numberAtEndOf(entry.key), ID.decode(entry.value)))
                .stream()
                .filter(waiting -> waiting.number() < end)
                .findFirst()
                .orElse(null);
    }

    // Turns.

    /** The lane that has a turn; null if there is no such turn. */
    public byte @Nullable [] turn(long number) {
        return KEY.decodeIfPresent(store.get(WebhookKeys.turn(endpoint, number)));
    }

    public void putTurn(long number, byte[] lane) {
        store.put(WebhookKeys.turn(endpoint, number), KEY.encode(lane));
    }

    public void deleteTurn(long number) {
        store.delete(WebhookKeys.turn(endpoint, number));
    }

    /** The lowest number of a turn, not below {@code from}; -1 if there is none. */
    public long firstTurn(long from) {
        Bytes found = StoreScans.firstKey(
                store, WebhookKeys.turn(endpoint, from), WebhookKeys.afterAll(WebhookKeys.TURN, endpoint));
        return found == null ? -1 : WebhookKeys.numberAtEndOf(found);
    }

    /** The highest number of a turn; -1 if there is none. */
    public long lastTurn() {
        try (var found =
                store.reverseRange(WebhookKeys.turn(endpoint, 0), WebhookKeys.afterAll(WebhookKeys.TURN, endpoint))) {
            return found.hasNext() ? WebhookKeys.numberAtEndOf(found.next().key) : -1;
        }
    }
}
