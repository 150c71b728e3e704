/**
 * Benchmarks: Laurel in comparison with a bare pipeline, growth, leaderboards, replay, scaling, restart, soak. Nothing depends on them.
 */
@NullMarked
package dev.laurel.bench;

import org.jspecify.annotations.NullMarked;
