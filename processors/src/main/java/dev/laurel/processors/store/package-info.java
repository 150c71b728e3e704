/**
 * The stores of all applications: names, layouts of keys, formats of values, and typed access that cannot forget the tenant. Keys and
 * formats are durable data. Nothing here decides what is stored.
 */
package dev.laurel.processors.store;
