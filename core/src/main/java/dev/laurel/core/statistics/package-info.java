/**
 * By what users are ranked and compared: the lengths of streaks, the values of top users, and the changes of a year.
 * Must not contain stores, or queries over several partitions.
 */
@NullMarked
package dev.laurel.core.statistics;

import org.jspecify.annotations.NullMarked;
