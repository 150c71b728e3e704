package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Erasure;
import dev.laurel.schemas.outbox.Outgoing;

/**
 * Forgets what webhooks were or are to be told of users who are no more, a little with each step. The places of what waited
 * are left over; whoever comes to one sees that there is nothing to be sent. One task, one thread.
 */
final class Erasures {

    /** Events of one user in a step. */
    static final int MAX_EVENTS = 256;

    private final WebhookStore store;

    /** Whether some may be left to do. After a start that is not known. */
    private boolean isPending = true;

    Erasures(WebhookStore store) {
        this.store = store;
    }

    /** Not of one who came later by the same id, when the outbox says this again. @param key of the user */
    void add(byte[] key, Outgoing.UserErased erased) {
        store.putErasure(new Erasure(erased.tenant(), key, erased.at().toEpochMilli()));
        isPending = true;
        step();
    }

    void step() {
        if (!isPending) {
            return;
        }
        Erasure erasure = store.firstErasure();
        if (erasure == null) {
            isPending = false;
        } else if (store.forget(erasure, MAX_EVENTS)) {
            store.deleteErasure(erasure);
        }
    }
}
