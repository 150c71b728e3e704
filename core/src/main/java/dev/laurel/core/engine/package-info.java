/**
 * Applies commands and time to a user: {@link dev.laurel.core.engine.UserEngine} and its evaluators, which read a
 * {@link dev.laurel.core.engine.UserTransaction} and change it through its methods only. The transaction is below them and knows
 * none; from below to above: transaction, announcements, evaluators of one subject (points, streak, leaderboards, messages,
 * achievements), timers, migration, engine. Pure: no clock, no randomness, no I/O, no Kafka. Must not contain the state itself
 * (core.user) or its bodies (core.view).
 */
@NullMarked
package dev.laurel.core.engine;

import org.jspecify.annotations.NullMarked;
