/**
 * The meters of a process: the registry that {@code /metrics} shows, and names with their help texts. What is measured is decided where
 * it happens.
 */
@NullMarked
package dev.laurel.platform.metrics;

import org.jspecify.annotations.NullMarked;
