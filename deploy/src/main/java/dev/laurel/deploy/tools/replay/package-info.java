/**
 * Replay of the log beside the live state: comparison, reports, promotion of a generation, and clean-up of former
 * ones.
 */
@NullMarked
package dev.laurel.deploy.tools.replay;

import org.jspecify.annotations.NullMarked;
