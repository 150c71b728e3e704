/**
 * Pure decisions about notices of ranks and changes of leaderboards: what waits of a group, and the differences of ranks. Must not
 * contain the stores of the throttle.
 */
@NullMarked
package dev.laurel.core.throttle;

import org.jspecify.annotations.NullMarked;
