/**
 * Merges frequent events: points.changed, and the events of leaderboards. Must not send anything: it forwards events to the webhook
 * step.
 */
@NullMarked
package dev.laurel.processors.delivery.throttle;

import org.jspecify.annotations.NullMarked;
