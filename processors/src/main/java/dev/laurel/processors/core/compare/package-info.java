/**
 * Compares the users of two states, one of them the result of a replay, and adds up the differences. Pure. Not here: reading
 * the states, and the reports.
 */
package dev.laurel.processors.core.compare;
