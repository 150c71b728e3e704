package dev.laurel.processors.core.leaderboard;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.List;

/** What the ledger tells the leaderboards, on {@code laurel.scores}. */
public sealed interface BoardMessage {

    /**
     * Where in the log the command stands from which the message follows. A partition of the log is one user's whole
     * history, and it is read in order: a message that stands before one already seen from there is a repetition of an aborted
     * transaction, or a late word of a fenced task, and says nothing new.
     */
    record Origin(int partition, long offset) {}

    /**
     * A user's absolute value on a leaderboard.
     *
     * @param rulesVersion under which the ledger worked it out
     * @param name null if the user has none
     * @param group null if the user is in none
     * @param atMs time of the command
     */
    record Scored(TenantId tenant, long rulesVersion, int board, int run, boolean isCurrent, UserId user, String name,
            List<String> group, BigDecimal value, long changedMs, Score.Kind kind, long atMs) implements BoardMessage {}

    /** This partition of the log has come to this time: no score that follows from it is older, unless it is late. */
    record ClockMoved(long nowMs) implements BoardMessage {}

    /** This partition of the log goes by these rules from here on. */
    record RulesPublished(TenantId tenant, long version) implements BoardMessage {}

    /** From here on in this partition of the log the generation that says so is in force, and tells what follows. */
    record GenerationBegan() implements BoardMessage {}

    /** The user is to be forgotten everywhere. */
    record UserForgotten(TenantId tenant, UserId user) implements BoardMessage {}
}
