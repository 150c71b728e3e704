/**
 * The stores of leaderboards: participants, runs and ranks, and the scores that wait at the ledger.
 * Keys and formats are durable data. Must not decide what is stored.
 */
@NullMarked
package dev.laurel.processors.store.boards;

import org.jspecify.annotations.NullMarked;
