/**
 * Delivers events to webhooks, at least once: lanes per user, retries, the log of deliveries, HTTP. Messages to users must not
 * be here.
 */
@NullMarked
package dev.laurel.delivery.webhook;

import org.jspecify.annotations.NullMarked;
