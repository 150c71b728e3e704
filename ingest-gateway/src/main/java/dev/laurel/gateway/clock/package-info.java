/**
 * The test clock of an instance. Not used in production.
 */
@NullMarked
package dev.laurel.gateway.clock;

import org.jspecify.annotations.NullMarked;
