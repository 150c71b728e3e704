/**
 * Delivery: what leaves the instance, behind the outbox. This package has what webhooks and messages share: counts and counters. The
 * queue, the throttle, webhooks, messages and their channels have packages of their own. Must not depend on these packages, nor on the
 * running applications.
 */
@NullMarked
package dev.laurel.delivery;

import org.jspecify.annotations.NullMarked;
