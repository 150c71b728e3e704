package dev.laurel.schemas.ruleset;

/** How often a repeating leaderboard starts anew. @param interval at least 1 */
public record RunLength(RunUnit unit, int interval) {

    public enum RunUnit {
        DAY, MONTH, YEAR
    }
}
