/**
 * Requests to change what operators configure, as {@code laurel.ruleset-edits} carries them. The package {@code admin}
 * decides the result of an edit.
 */
@NullMarked
package dev.laurel.schemas.edit;

import org.jspecify.annotations.NullMarked;
