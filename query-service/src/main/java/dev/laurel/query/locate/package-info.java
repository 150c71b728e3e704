/**
 * The partitions of this process and the owners of all others: stores by partition, copies and their lag, the assignment of
 * Kafka Streams; and values that may be some time old. The lowest package of the module; it must not know queries, reads, peers or HTTP.
 */
@NullMarked
package dev.laurel.query.locate;

import org.jspecify.annotations.NullMarked;
