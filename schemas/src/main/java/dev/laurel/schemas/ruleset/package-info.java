/**
 * The ruleset of a tenant as data. The records themselves describe the kinds of its objects. The package {@code edit} makes one version
 * from another; the core applies the rules.
 */
@NullMarked
package dev.laurel.schemas.ruleset;

import org.jspecify.annotations.NullMarked;
