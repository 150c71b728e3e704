package dev.laurel.core.leaderboard;

import dev.laurel.core.leaderboard.TeamRanking.TeamPart;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message from the ledger to the leaderboards, on {@code laurel.scores}. */
public sealed interface LeaderboardMessage {

    /**
     * The position in the log of the command that caused the message. A partition of the log has the whole history of its
     * users and is read in order. A message with an offset below the newest one from the same partition therefore repeats an
     * aborted transaction, or comes late from a fenced task, and is ignored.
     */
    record Origin(int partition, long offset) {}

    /** Absolute values, each in the order in which they follow from the log. They concern groups of one partition of the leaderboards. */
    record Scores(List<Scored> scores) implements LeaderboardMessage {

        public Scores {
            scores = List.copyOf(scores);
        }
    }

    /**
     * A user's absolute value in a group of a leaderboard, which the user leaves by the value 0.
     *
     * @param rulesVersion the rules by which the ledger computed the value
     * @param atMs time of the command
     * @param isSpread whether the leaderboard is spread (docs/leaderboards.md)
     */
    record Scored(
            TenantId tenant,
            long rulesVersion,
            int board,
            int run,
            boolean isCurrent,
            UserId user,
            @Nullable String name,
            Visibility visibility,
            List<String> group,
            BigDecimal value,
            long changedMs,
            Score.Kind kind,
            long atMs,
            boolean isSpread) {

        public LeaderboardGroup inGroup() {
            return new LeaderboardGroup(tenant, board, run, group);
        }
    }

    /** Time in this partition of the log has reached {@code nowMs}. Only late commands cause older scores from here on. */
    record ClockMoved(long nowMs) implements LeaderboardMessage {}

    /** From here on, this partition of the log uses this version of the rules. */
    record RulesPublished(TenantId tenant, long version) implements LeaderboardMessage {}

    /** From here on, the sending generation is in force in this partition of the log. */
    record GenerationBegan() implements LeaderboardMessage {}

    /** The user is to be erased from all leaderboards. */
    record UserForgotten(TenantId tenant, UserId user) implements LeaderboardMessage {}

    /** The user is to be shown so on all leaderboards, in final runs as well. */
    record UserShown(TenantId tenant, UserId user, Visibility visibility) implements LeaderboardMessage {}

    /**
     * Absolute parts of the scores of teams, and scores that follow from the same commands or later ones.
     *
     * @param scores empty: there are none
     */
    record TeamScores(List<Team> teams, List<Scored> scores) implements LeaderboardMessage {

        public TeamScores {
            teams = List.copyOf(teams);
            scores = List.copyOf(scores);
        }

        /**
         * The part of a team's score that this partition of the log has.
         *
         * @param rulesVersion see {@link Scored}
         * @param group of the team's members
         */
        public record Team(long rulesVersion, LeaderboardGroup group, TeamPart part) {}
    }
}
