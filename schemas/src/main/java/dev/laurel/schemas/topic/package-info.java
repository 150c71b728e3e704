/**
 * The catalogue of topics, each with its serdes and partitioning, and what travels in record headers. No client of Kafka is opened
 * here.
 */
@NullMarked
package dev.laurel.schemas.topic;

import org.jspecify.annotations.NullMarked;
