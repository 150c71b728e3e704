/**
 * Rules that every input obeys, by any route: refusals as values, exact amounts, time zones, text and UUIDs. The lowest
 * package: it knows no object of the product.
 */
@NullMarked
package dev.laurel.schemas.input;

import org.jspecify.annotations.NullMarked;
