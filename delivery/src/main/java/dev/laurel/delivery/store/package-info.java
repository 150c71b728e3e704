/**
 * Stores of the delivery application: webhooks and messages that wait, what became of them, and their due times.
 */
@NullMarked
package dev.laurel.delivery.store;

import org.jspecify.annotations.NullMarked;
