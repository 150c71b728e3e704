package dev.laurel.processors.store;

/** One of an application's stores as one partition has it. */
public record StoreOfPartition(String store, int partition) {}
