/**
 * Decides by the newest ruleset whether a request may go into the log. Pure: no Kafka, no HTTP, no JSON.
 */
@NullMarked
package dev.laurel.gateway.admission;

import org.jspecify.annotations.NullMarked;
