/**
 * The write side of the HTTP interface: its settings, meters and wiring. {@link dev.laurel.gateway.Gateway} is the entry. Routes,
 * Kafka clients and the wait for replies are in the packages below.
 */
@NullMarked
package dev.laurel.gateway;

import org.jspecify.annotations.NullMarked;
