/**
 * Edits of the admin API: what they make of the ruleset, keys, tenants and secrets, and the bodies that answer them. Pure; reading
 * and writing topics is up to the gateway.
 */
@NullMarked
package dev.laurel.schemas.admin;

import org.jspecify.annotations.NullMarked;
