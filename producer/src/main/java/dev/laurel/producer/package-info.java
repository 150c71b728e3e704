/**
 * A typed producer for programs that report what users do by Kafka (docs/sending-events.md "Java"). It needs a JDK 17 or newer and
 * Kafka's client, and nothing of the rest of Laurel.
 */
@NullMarked
package dev.laurel.producer;

import org.jspecify.annotations.NullMarked;
