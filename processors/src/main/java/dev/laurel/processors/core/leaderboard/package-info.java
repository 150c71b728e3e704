/**
 * The pure part of leaderboards: their rules and runs, the ranking of a group, day ends, and the messages between the ledger
 * and the leaderboards. Not here: stores and processors of leaderboards, and what a user's events are worth (core.engine).
 */
@NullMarked
package dev.laurel.processors.core.leaderboard;

import org.jspecify.annotations.NullMarked;
