/**
 * The counters of an account and the reports made from them (docs/analytics.md). {@link CounterUpdater} derives the changes of
 * counters from a change of a user; reports add up counters of all partitions.
 */
@NullMarked
package dev.laurel.core.analytics;

import org.jspecify.annotations.NullMarked;
