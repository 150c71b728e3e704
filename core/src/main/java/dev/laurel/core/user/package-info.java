/**
 * The state of a user as immutable values: totals, points, streaks, boosts, messages, history. Must not contain the rules by
 * which the state changes (core.engine), bodies of the API (core.view) or stored bytes (processors.store).
 */
@NullMarked
package dev.laurel.core.user;

import org.jspecify.annotations.NullMarked;
