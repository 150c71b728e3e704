/**
 * The ruleset of a tenant as data, its human form and the editor that makes one version from another. The kinds of its objects
 * are described by the records themselves. How rules are applied is in the core.
 */
@NullMarked
package dev.laurel.schemas.ruleset;

import org.jspecify.annotations.NullMarked;
