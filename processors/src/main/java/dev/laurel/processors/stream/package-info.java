/**
 * The parts that several applications share: nodes of their topologies, the layout of topics, published rulesets, the output window of a
 * generation, and the progress and leases of tasks. The topologies and tasks themselves are in {@code ledger}, {@code boards} and
 * {@code delivery}, threads and lifecycles in {@code runtime}.
 */
@NullMarked
package dev.laurel.processors.stream;

import org.jspecify.annotations.NullMarked;
