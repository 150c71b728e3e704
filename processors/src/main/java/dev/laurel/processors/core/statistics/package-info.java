/**
 * Statistics of all users of a partition, kept in memory: points by attributes, the longest streaks, samples for percentiles.
 * Not here: the processor that feeds them, and queries over several partitions.
 */
@NullMarked
package dev.laurel.processors.core.statistics;

import org.jspecify.annotations.NullMarked;
