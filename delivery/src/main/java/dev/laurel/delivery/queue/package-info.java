/**
 * The delivery queue: due times, fair turns of groups within the limits in flight, completion on the task's thread, recovery after
 * a start. {@link DeliveryScheduler.SendPolicy} says how often a batch may be sent. Must not know what is sent, or how.
 */
@NullMarked
package dev.laurel.delivery.queue;

import org.jspecify.annotations.NullMarked;
