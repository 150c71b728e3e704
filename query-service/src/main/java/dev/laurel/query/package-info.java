/**
 * The wiring of the read side: {@link dev.laurel.query.QueryService} for a node, {@link dev.laurel.query.DeliveryQueryService} for
 * a delivery process. Rules of reads and HTTP routes are in the packages below.
 */
@NullMarked
package dev.laurel.query;

import org.jspecify.annotations.NullMarked;
