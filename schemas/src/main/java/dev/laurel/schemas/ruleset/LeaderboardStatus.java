package dev.laurel.schemas.ruleset;

import static dev.laurel.schemas.kind.IssueList.word;

/** What becomes of a leaderboard in time (docs/semantics.md §7). The order is durable data. */
public enum LeaderboardStatus {
    /** Invisible, takes nobody. */
    INACTIVE,
    /** Becomes active by itself. */
    SCHEDULED, ACTIVE,
    /** Final; its runs stay readable. */
    FINISHED;

    /**
     * What is wrong with making one that is this what an operator asks for (docs/admin-api.md A5); null if nothing is. What its
     * dates have against it is another question.
     */
    public String problemWith(LeaderboardStatus wanted) {
        boolean isAllowed = wanted == this || switch (this) {
            case INACTIVE -> wanted == ACTIVE || wanted == SCHEDULED;
            case SCHEDULED -> wanted == INACTIVE;
            case ACTIVE -> wanted == FINISHED || wanted == INACTIVE;
            case FINISHED -> false;
        };
        return isAllowed
                ? null
                : "must be " + allowed() + " for one that is " + word(this) + "; is '" + word(wanted) + "'";
    }

    private String allowed() {
        return switch (this) {
            case INACTIVE -> "one of inactive, scheduled, active";
            case SCHEDULED -> "one of scheduled, inactive (it becomes active by itself)";
            case ACTIVE -> "one of active, finished, inactive";
            case FINISHED -> "finished";
        };
    }
}
