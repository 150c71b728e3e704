/**
 * The task of the ledger application: reads the log, lets the core decide, writes the stores of users, and sends effects, scores,
 * answers and rejections. Classes marked "one task, one thread" are created anew at each start of a task.
 */
package dev.laurel.processors.ledger;
