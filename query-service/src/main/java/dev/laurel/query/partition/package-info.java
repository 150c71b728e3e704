/**
 * The queries that a read runs on partitions, as data, and the local node that answers them. Names and fields of the queries are a
 * wire format between nodes of two versions. Calls to other nodes are in {@code dev.laurel.query.peer}.
 */
@NullMarked
package dev.laurel.query.partition;

import org.jspecify.annotations.NullMarked;
