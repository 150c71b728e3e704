package dev.laurel.processors.delivery.queue;

/**
 * How often a batch may go out when processes die: what differs between the users of a {@link DeliveryScheduler}.
 *
 * <ul>
 * <li>At least once (webhooks): {@link #start} sends at once. What was in flight when the process died is still stored, and
 * the next start of the task sends it again under the same id.
 * <li>At most once (messages): {@link #start} writes down the intent, and only the life of the task that reads its own intent
 * first sends. What was in flight when the process died is doubtful, and not sent again.
 * </ul>
 *
 * <p>Called on the task's thread; nothing here blocks.
 *
 * @param <G> the groups that share the room in flight fairly
 */
public interface SendPolicy<G, Q extends GroupQueue<B>, B> {

    /** Opens the queue of a group on what is stored of it. */
    Q open(G group);

    InFlightLimits limits();

    /** Whether batches may start; no longer when the process is about to stop. */
    boolean mayStart();

    /** Starts a batch, which is in flight until {@link DeliveryScheduler#ended} is called for its group. */
    void start(B batch);
}
