/**
 * The stores of all applications: names, layouts of keys, formats of values, and typed access in which every key names the tenant.
 * Keys and formats are durable data. Must not decide what is stored.
 */
@NullMarked
package dev.laurel.processors.store;

import org.jspecify.annotations.NullMarked;
