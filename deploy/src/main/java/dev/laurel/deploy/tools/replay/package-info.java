/**
 * Replay of the log beside the live state: comparison, reports, promotion of a generation, and clean-up of former
 * ones.
 */
package dev.laurel.deploy.tools.replay;
