/**
 * The HTTP routes of reads, one class per resource, and the relay that forwards requests to other nodes. It must not contain rules
 * of reads.
 */
@NullMarked
package dev.laurel.query.http;

import org.jspecify.annotations.NullMarked;
