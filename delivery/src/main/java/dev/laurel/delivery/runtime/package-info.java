/**
 * The delivery application as a whole: its settings, and its start and stop.
 */
@NullMarked
package dev.laurel.delivery.runtime;

import org.jspecify.annotations.NullMarked;
