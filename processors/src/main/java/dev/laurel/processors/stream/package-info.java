/**
 * The tasks of the ledger and the boards application: processors that read a record, let the core decide, write the stores and
 * forward the output. Classes marked "one task, one thread" are made anew at each start of a task. Decisions belong to the core,
 * the graph to {@code topology}, threads and lifecycles to {@code runtime}.
 */
package dev.laurel.processors.stream;
