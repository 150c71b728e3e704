/**
 * The HTTP routes of reads, one class per resource, and the relay that forwards requests to other nodes. It must not contain rules
 * of reads. {@link dev.laurel.query.http.QueryService} wires the read side of a node, {@link dev.laurel.query.http.DeliveryQueryService}
 * that of a delivery process.
 */
@NullMarked
package dev.laurel.query.http;

import org.jspecify.annotations.NullMarked;
