/**
 * The task of the ledger application: reads the log, lets the core decide, writes the stores of users, and sends effects, scores,
 * answers and rejections. Classes marked "one task, one thread" are created anew at each start of a task.
 */
@NullMarked
package dev.laurel.processors.ledger;

import org.jspecify.annotations.NullMarked;
