/**
 * Ticks: the records of the log by which time passes where no command comes, and who writes them.
 */
@NullMarked
package dev.laurel.processors.ledger.tick;

import org.jspecify.annotations.NullMarked;
