/**
 * Sends requests through the log and waits for their replies: the limit of requests in flight, the waiters, the consumer of replies,
 * and the circuit breaker for leaderboards. No HTTP here.
 */
@NullMarked
package dev.laurel.gateway.reply;

import org.jspecify.annotations.NullMarked;
