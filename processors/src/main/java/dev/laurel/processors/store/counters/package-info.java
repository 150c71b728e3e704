/**
 * The stores of counters: those of each partition, and the sums that reads ask.
 * Keys and formats are durable data. Must not decide what is stored.
 */
@NullMarked
package dev.laurel.processors.store.counters;

import org.jspecify.annotations.NullMarked;
