/**
 * Access to Kafka that every process needs: the settings of its clients, the creation of topics, and the followers of the small
 * compacted topics (rulesets, keys, generations), each of which reads its topic on one thread and serves the newest values from memory.
 */
@NullMarked
package dev.laurel.platform.kafka;

import org.jspecify.annotations.NullMarked;
