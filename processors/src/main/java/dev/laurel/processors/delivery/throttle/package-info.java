/**
 * Merges events that come too often: points.changed, and the events of leaderboards. Must not send anything itself: it forwards
 * events to the webhook step.
 */
package dev.laurel.processors.delivery.throttle;
