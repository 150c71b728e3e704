/**
 * Requests to change what operators configure, as {@code laurel.ruleset-edits} carries them. What becomes of an edit is decided in
 * {@code admin}.
 */
@NullMarked
package dev.laurel.schemas.edit;

import org.jspecify.annotations.NullMarked;
