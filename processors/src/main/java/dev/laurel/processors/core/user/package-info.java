/**
 * The state of a user and what is read off it: totals, points, streaks, boosts, message state, history. Immutable values
 * without rules of how they change; those are in core.engine. Not here: bodies of the API (core.view), stored bytes
 * (processors.store).
 */
@NullMarked
package dev.laurel.processors.core.user;

import org.jspecify.annotations.NullMarked;
