/**
 * The test clock of an instance, and the control that moves it and waits until everything due has happened. Not used in
 * production; no HTTP here.
 */
@NullMarked
package dev.laurel.gateway.clock;

import org.jspecify.annotations.NullMarked;
