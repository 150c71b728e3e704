/**
 * Pure decisions about notifications of ranks and changes of leaderboards: their state, the differences, and the next due
 * time. Must not contain the stores and processors of the throttle.
 */
@NullMarked
package dev.laurel.processors.core.throttle;

import org.jspecify.annotations.NullMarked;
