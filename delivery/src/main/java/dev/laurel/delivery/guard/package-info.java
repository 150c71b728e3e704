/**
 * Restricts the addresses to which Laurel connects on behalf of tenants.
 */
@NullMarked
package dev.laurel.delivery.guard;

import org.jspecify.annotations.NullMarked;
