/**
 * Bodies of requests and answers of the HTTP interface, as records: the field names are the wire's. Bodies of one resource are in one
 * file.
 */
@NullMarked
package dev.laurel.schemas.wire;

import org.jspecify.annotations.NullMarked;
