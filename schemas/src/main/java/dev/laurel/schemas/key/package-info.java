/**
 * Identifiers of users, tenants, leaderboards and positions in the log, each with one text form. Nothing here refers to the identified
 * objects.
 */
@NullMarked
package dev.laurel.schemas.key;

import org.jspecify.annotations.NullMarked;
