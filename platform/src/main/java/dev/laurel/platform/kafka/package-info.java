/**
 * Access to Kafka that every process needs: the settings of its clients ({@code KafkaAccess}), the clients ({@code KafkaClients}), the
 * creation of topics, and the two ways to read topics outside of Kafka Streams. A {@code Follower} reads what has no end into a sink, such
 * as the tables of rulesets, keys and generations, which {@code TableStore}s keep on disk in a {@code TableFolder}; a {@code RangeReader}
 * reads between two offsets, such as a page of rejections or of the audit log. {@code LocalRecords} has what this process has just written.
 */
@NullMarked
package dev.laurel.platform.kafka;

import org.jspecify.annotations.NullMarked;
