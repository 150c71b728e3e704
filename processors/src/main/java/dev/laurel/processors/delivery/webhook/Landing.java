package dev.laurel.processors.delivery.webhook;

import java.time.Instant;

/**
 * One delivery of a flight has come to an end.
 *
 * @param index of the delivery in its flight
 * @param at by the instance's clock
 */
record Landing(Flight flight, int index, Outcome outcome, Instant at) {}
