/**
 * The compiled ruleset: what the engine looks up when it applies a command, and the calendars of streaks and recaps. Made
 * once per version, immutable. Not here: the documents of rulesets (schemas) and the state of users.
 */
@NullMarked
package dev.laurel.processors.core.rules;

import org.jspecify.annotations.NullMarked;
