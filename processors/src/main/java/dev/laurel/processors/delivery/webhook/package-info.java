/**
 * Delivers events to webhooks, at least once: lanes per user, retries, the log of deliveries, HTTP. Messages to users must not
 * be here.
 */
package dev.laurel.processors.delivery.webhook;
