/**
 * Calls to other nodes and delivery processes: the client, and the nodes of a deployment as one that answers queries. Reads must not
 * depend on this package; they use {@code dev.laurel.query.partition.Nodes}.
 */
@NullMarked
package dev.laurel.query.peer;

import org.jspecify.annotations.NullMarked;
