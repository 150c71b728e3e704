/**
 * Calls to other nodes and delivery processes: the client, and the implementations that send queries to several processes. Reads
 * must not depend on this package; they use {@code dev.laurel.query.partition.Nodes}.
 */
@NullMarked
package dev.laurel.query.peer;

import org.jspecify.annotations.NullMarked;
