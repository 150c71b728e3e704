/**
 * The meters of a process: the registry that {@code /metrics} shows, and names with their help texts. Each component defines
 * its own meters.
 */
@NullMarked
package dev.laurel.platform.metrics;

import org.jspecify.annotations.NullMarked;
