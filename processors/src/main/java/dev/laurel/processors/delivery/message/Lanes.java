package dev.laurel.processors.delivery.message;

import dev.laurel.processors.core.sending.Delivery;
import dev.laurel.processors.core.sending.Delivery.Waiting;
import dev.laurel.processors.store.MessageStores;
import dev.laurel.processors.store.MessageStores.Lane;
import dev.laurel.processors.store.MessageStores.Place;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Which message of a task is next: the one that has waited longest, of the lanes that have room. What waits is in the store;
 * here is where each lane's scan goes on, so that none steps over what is under way, or was deleted, again and again. One
 * thread.
 */
final class Lanes {

    private final MessageStores stores;
    private final SendLimits limits;
    private final Map<Lane, Line> lines = new HashMap<>();

    /** Those in which something may wait, the longest waiting first. */
    private final TreeSet<Line> open = new TreeSet<>(
            Comparator.<Line>comparingLong(line -> line.nextMs).thenComparingInt(line -> line.number));
    private int linesMade;
    private int underWay;

    /** One lane. */
    private static final class Line {

        private final Lane lane;
        private final int number;
        private final Set<UUID> taken = new HashSet<>();

        /** All before it is taken or gone; null: nothing is known of that. */
        private Place from;

        /** Nothing is due before. */
        private long nextMs;

        Line(Lane lane, int number, long nextMs) {
            this.lane = lane;
            this.number = number;
            this.nextMs = nextMs;
        }
    }

    /** Finds the lanes that have something in them: one look for each. */
    Lanes(MessageStores stores, SendLimits limits) {
        this.stores = stores;
        this.limits = limits;
        for (Lane lane = stores.laneAfter(null); lane != null; lane = stores.laneAfter(lane)) {
            open.add(line(lane, Long.MIN_VALUE));
        }
    }

    private Line line(Lane lane, long nextMs) {
        return lines.computeIfAbsent(lane, _ -> new Line(lane, linesMade++, nextMs));
    }

    /** Has been put into the queue. */
    void added(Delivery delivery, Waiting waiting) {
        Place place = Place.of(delivery, waiting);
        Line line = line(place.lane(), place.dueMs());
        open.remove(line);
        line.nextMs = Math.min(line.nextMs, place.dueMs());
        if (line.from != null && place.isBefore(line.from)) {
            line.from = place;
        }
        reopen(line);
    }

    /** The next one that is due and not taken; null if there is none, or no room for it. */
    Place next(long nowMs) {
        for (Line line = firstWithRoom(nowMs); line != null; line = firstWithRoom(nowMs)) {
            open.remove(line);
            Place place = stores.firstPlace(line.lane, line.from, line.taken::contains);
            line.nextMs = place == null ? Long.MAX_VALUE : place.dueMs();
            if (place != null) {
                line.from = place;
            }
            reopen(line);
            if (place != null && place.dueMs() <= nowMs) {
                return place;
            }
        }
        return null;
    }

    /** Steps over no more lanes than messages are under way. Null if there is none. */
    private Line firstWithRoom(long nowMs) {
        int room = limits.ofLane(underWay);
        for (Line line : open) {
            if (line.nextMs > nowMs) {
                return null;
            }
            if (line.taken.size() < room) {
                return line;
            }
        }
        return null;
    }

    /** It stays in the queue, and takes up room. */
    void take(Place place) {
        Line line = lines.get(place.lane());
        open.remove(line);
        underWay += line.taken.add(place.delivery()) ? 1 : 0;
        reopen(line);
    }

    /** It has left the queue, or waits in it again. */
    void release(Place place) {
        Line line = lines.get(place.lane());
        open.remove(line);
        underWay -= line.taken.remove(place.delivery()) ? 1 : 0;
        reopen(line);
    }

    private void reopen(Line line) {
        boolean isEmpty = line.nextMs == Long.MAX_VALUE;
        if (isEmpty && line.taken.isEmpty()) {
            lines.remove(line.lane);
        } else if (!isEmpty) {
            open.add(line);
        }
    }
}
