/**
 * Access to Kafka that every process needs: the settings of its clients, the clients, the creation of topics, and the two ways to read
 * topics outside of Kafka Streams. A {@code Follower} reads what has no end into a sink, such as the tables of rulesets, keys and
 * generations; a {@code RangeReader} reads between two offsets.
 */
@NullMarked
package dev.laurel.platform.kafka;

import org.jspecify.annotations.NullMarked;
