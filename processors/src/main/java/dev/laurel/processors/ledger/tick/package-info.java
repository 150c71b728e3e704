/**
 * Ticks: records of the log that advance the time of a partition without commands, and the writers of these records.
 */
@NullMarked
package dev.laurel.processors.ledger.tick;

import org.jspecify.annotations.NullMarked;
