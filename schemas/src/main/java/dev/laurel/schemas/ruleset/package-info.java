/**
 * The ruleset of a tenant as data, its human form and the editor that makes one version from another. The records
 * themselves describe the kinds of its objects. The core applies the rules.
 */
@NullMarked
package dev.laurel.schemas.ruleset;

import org.jspecify.annotations.NullMarked;
