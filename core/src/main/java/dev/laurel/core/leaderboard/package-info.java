/**
 * The pure part of leaderboards: rules and runs, the ranking of a group, day ends, and the messages from the ledger. Must not
 * contain stores and processors of leaderboards, or the computation of a user's values (core.engine).
 */
@NullMarked
package dev.laurel.core.leaderboard;

import org.jspecify.annotations.NullMarked;
