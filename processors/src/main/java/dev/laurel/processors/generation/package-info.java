/**
 * Generations of the ledger and the leaderboards: building one from the log, promoting it, running several beside each other on a
 * node, taking over from state of an earlier release, copying the log into a wider one, removing what is obsolete.
 * {@link dev.laurel.processors.generation.Generations} is the interface for tools,
 * {@link dev.laurel.processors.generation.NodeGenerations} the one for nodes; see docs/generations.md. No rule of the product belongs
 * here.
 */
@NullMarked
package dev.laurel.processors.generation;

import org.jspecify.annotations.NullMarked;
