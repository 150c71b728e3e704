/**
 * The reads of the two APIs, one class per subject. They combine the results of partition queries and convert them to response
 * bodies. They must not use HTTP, and must not know whether there are other nodes.
 */
@NullMarked
package dev.laurel.query.read;

import org.jspecify.annotations.NullMarked;
