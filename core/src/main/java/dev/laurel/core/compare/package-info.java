/**
 * Compares the users of two states, one of them the result of a replay, and adds up the differences. Pure. Must not read
 * states or write reports.
 */
@NullMarked
package dev.laurel.core.compare;

import org.jspecify.annotations.NullMarked;
