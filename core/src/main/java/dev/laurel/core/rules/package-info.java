/**
 * The compiled ruleset, in which the engine looks up rules when it applies a command, and the calendars of streaks and recaps.
 * Immutable, made once per version. Must not contain ruleset documents (schemas) or the state of users (core.user).
 */
@NullMarked
package dev.laurel.core.rules;

import org.jspecify.annotations.NullMarked;
