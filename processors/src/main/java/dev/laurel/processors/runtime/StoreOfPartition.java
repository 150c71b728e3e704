package dev.laurel.processors.runtime;

/** A store of one partition. */
record StoreOfPartition(String store, int partition) {}
