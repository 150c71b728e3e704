/**
 * Applies commands and time to a user: {@link dev.laurel.processors.core.engine.UserEngine} and its evaluators, which read a
 * {@link dev.laurel.processors.core.engine.UserTransaction} and change it through its methods only. Pure: no clock, no
 * randomness, no I/O, nothing of Kafka. Not here: the state itself (core.user) and its bodies (core.view).
 */
@NullMarked
package dev.laurel.processors.core.engine;

import org.jspecify.annotations.NullMarked;
