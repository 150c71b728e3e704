package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.delivery.webhook.HookDelivery.Place;
import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.store.WebhookStore;
import org.apache.kafka.common.utils.Bytes;

/**
 * Looks once through what there was when the task started, a little with each step: after a crash a lane may lack its turn, or
 * a delivery that waits its place. Both are given to it again. First all lanes, then all deliveries. One task, one thread.
 */
final class Mending {

    static final int MAX_LOOKS = 256;

    private final WebhookStore store;
    private final Departures departures;

    /** The last one that was looked at; null: none yet. */
    private Bytes last;
    private Stage stage = Stage.LANES;

    private enum Stage {
        LANES, DELIVERIES, DONE
    }

    Mending(WebhookStore store, Departures departures) {
        this.store = store;
        this.departures = departures;
    }

    void step() {
        switch (stage) {
            case LANES -> {
                last = store.visitLanes(last, MAX_LOOKS, (endpoint, lane, _) -> departures.mend(endpoint, lane));
                stage = last == null ? Stage.DELIVERIES : stage;
            }
            case DELIVERIES -> {
                last = store.visitDeliveries(last, MAX_LOOKS, this::mend);
                stage = last == null ? Stage.DONE : stage;
            }
            case DONE -> {
                // Nothing that this life has written needs to be mended.
            }
        }
    }

    private void mend(Endpoint endpoint, HookDelivery delivery) {
        if (delivery.place() != null) {
            Place another = departures.mend(endpoint, delivery.id(), delivery.place());
            if (another != null) {
                store.putDelivery(endpoint, delivery.at(another));
            }
        }
    }
}
