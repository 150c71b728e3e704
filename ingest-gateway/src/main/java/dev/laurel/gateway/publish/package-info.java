/**
 * Publishes requests to Kafka: the producer, the meaning of its failures, and the switch to a wider log. Nothing here knows replies
 * or HTTP.
 */
@NullMarked
package dev.laurel.gateway.publish;

import org.jspecify.annotations.NullMarked;
