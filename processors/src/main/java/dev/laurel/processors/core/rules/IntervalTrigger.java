package dev.laurel.processors.core.rules;

/**
 * A trigger that pays every {@code intervalMs} (semantics.md §6 "time").
 *
 * @param activatedMs nothing is paid for the time before it
 */
public record IntervalTrigger(PaidTrigger paid, long intervalMs, long activatedMs) {}
