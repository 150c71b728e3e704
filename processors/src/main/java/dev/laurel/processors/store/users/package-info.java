/**
 * The stores of the ledger: users with their histories, resources, indexes and timers, and what a partition knows of itself.
 * Keys and formats are durable data. Must not decide what is stored.
 */
@NullMarked
package dev.laurel.processors.store.users;

import org.jspecify.annotations.NullMarked;
