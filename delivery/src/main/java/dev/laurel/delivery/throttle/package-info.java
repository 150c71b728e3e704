/**
 * Merges frequent events: points.changed, and the events of leaderboards. Must not send anything: it adds events to the deliveries of
 * webhooks.
 */
@NullMarked
package dev.laurel.delivery.throttle;

import org.jspecify.annotations.NullMarked;
