/**
 * The parts that the tasks of several applications share: the layout of topics, published rulesets, the output window of a
 * generation, and the progress and leases of tasks. The tasks themselves are in {@code ledger}, {@code boards} and
 * {@code delivery}, graphs in {@code topology}, threads and lifecycles in {@code runtime}.
 */
@NullMarked
package dev.laurel.processors.stream;

import org.jspecify.annotations.NullMarked;
