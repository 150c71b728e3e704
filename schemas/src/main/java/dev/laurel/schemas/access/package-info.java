/**
 * Keys, tenants and secrets as {@code laurel.access} holds them, and their index in memory. A key itself is never stored, only its
 * hash.
 */
@NullMarked
package dev.laurel.schemas.access;

import org.jspecify.annotations.NullMarked;
