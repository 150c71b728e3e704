/**
 * The write side of the HTTP interface but for its routes. {@link dev.laurel.gateway.Gateway} is the entry: its settings, meters and
 * wiring. A request is published to the log, with the meaning of each failure and the switch to a wider log, and waits for its reply: the
 * limit of requests in flight, the waiters, the consumer of replies, the group of gateways, and the circuit breaker for leaderboards. No
 * HTTP here.
 */
@NullMarked
package dev.laurel.gateway;

import org.jspecify.annotations.NullMarked;
