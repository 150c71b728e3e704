/**
 * Statistics of all users of a partition, kept in memory: points by attributes, the longest streaks, samples for percentiles.
 * Must not contain the processor that updates them, or queries over several partitions.
 */
@NullMarked
package dev.laurel.processors.core.statistics;

import org.jspecify.annotations.NullMarked;
