/**
 * The read side of nodes and of delivery processes: wiring only. {@link dev.laurel.query.QueryService} is the entry for a node,
 * {@link dev.laurel.query.DeliveryQueryService} for a delivery process. Rules of reads and HTTP routes are in the packages below.
 */
@NullMarked
package dev.laurel.query;

import org.jspecify.annotations.NullMarked;
