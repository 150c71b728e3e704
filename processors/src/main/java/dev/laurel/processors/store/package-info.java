/**
 * What the stores of all applications share: names, the parts of keys, the format of values, and scans. Every key names the tenant.
 * Keys and formats are durable data. Must not decide what is stored.
 */
@NullMarked
package dev.laurel.processors.store;

import org.jspecify.annotations.NullMarked;
