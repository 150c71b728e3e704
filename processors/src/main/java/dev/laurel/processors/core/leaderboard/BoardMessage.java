package dev.laurel.processors.core.leaderboard;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message from the ledger to the leaderboards, on {@code laurel.scores}. */
public sealed interface BoardMessage {

    /**
     * The place in the log of the command that causes the message. A partition of the log holds the whole history of its
     * users and is read in order: a message from before one already seen from there repeats an aborted transaction, or comes
     * late from a fenced task, and is ignored.
     */
    record Origin(int partition, long offset) {}

    /**
     * A user's absolute value on a leaderboard.
     *
     * @param rulesVersion the rules by which the ledger computed the value
     * @param name null if the user has none
     * @param group null if the user is in none
     * @param atMs time of the command
     */
    record Scored(TenantId tenant, long rulesVersion, int board, int run, boolean isCurrent, UserId user,
            @Nullable String name, @Nullable List<String> group, BigDecimal value, long changedMs, Score.Kind kind,
            long atMs) implements BoardMessage {}

    /** This partition of the log has reached this time: later scores from it are not older, except late ones. */
    record ClockMoved(long nowMs) implements BoardMessage {}

    /** This partition of the log uses these rules from here on. */
    record RulesPublished(TenantId tenant, long version) implements BoardMessage {}

    /** From here on the sending generation is in force in this partition of the log and sends what follows. */
    record GenerationBegan() implements BoardMessage {}

    /** The user is to be erased from all leaderboards. */
    record UserForgotten(TenantId tenant, UserId user) implements BoardMessage {}
}
