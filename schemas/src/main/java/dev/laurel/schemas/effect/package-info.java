/**
 * Effects: facts that followed from commands, as published on {@code laurel.effects}. Public, so fields are added and never changed.
 */
@NullMarked
package dev.laurel.schemas.effect;

import org.jspecify.annotations.NullMarked;
