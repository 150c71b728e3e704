/**
 * The topology of the ledger application and its task, which reads the log, lets the core decide, writes the stores of users, and sends
 * effects, scores, answers and rejections; and {@link dev.laurel.processors.ledger.Ticks}, records of the log that advance the time of a
 * partition without commands. Names of nodes are documentation; names of stores are durable data. Classes marked "one task, one thread"
 * are created anew at each start of a task.
 */
@NullMarked
package dev.laurel.processors.ledger;

import org.jspecify.annotations.NullMarked;
