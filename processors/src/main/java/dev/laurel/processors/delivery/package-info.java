/**
 * Delivery: what leaves the instance, behind the outbox. This package has what the steps share: the router, replies and counters.
 * The queue, the two steps that use it and the throttle have packages of their own. Must not depend on the packages of steps, nor
 * on the running applications.
 */
@NullMarked
package dev.laurel.processors.delivery;

import org.jspecify.annotations.NullMarked;
