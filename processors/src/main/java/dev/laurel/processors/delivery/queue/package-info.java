/**
 * The delivery queue: due times, groups taking turns for room in flight, completion on the task's thread, recovery after a start.
 * {@link SendPolicy} says how often something may go out. Must not know what is sent, or how.
 */
package dev.laurel.processors.delivery.queue;
