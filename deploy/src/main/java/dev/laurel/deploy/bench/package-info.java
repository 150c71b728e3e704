/**
 * Benchmarks: Laurel in comparison with a bare pipeline, growth, leaderboards, replay, scaling, restart, soak.
 * Nothing outside of this package depends on them.
 */
@NullMarked
package dev.laurel.deploy.bench;

import org.jspecify.annotations.NullMarked;
