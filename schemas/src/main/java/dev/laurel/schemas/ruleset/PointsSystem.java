package dev.laurel.schemas.ruleset;

import java.util.List;
import java.util.UUID;

/**
 * A counter per user.
 *
 * @param description null if none
 * @param badgeUrl null if none
 * @param maxPoints the cap on a user's total, null if none
 * @param levels by ascending threshold
 */
public record PointsSystem(int number, UUID id, String key, String name, String description, String badgeUrl,
        Long maxPoints, LevelRule levelAt, List<Level> levels, List<Boost> boosts, List<PointsTrigger> triggers) {

    public PointsSystem {
        levelAt = levelAt == null ? LevelRule.EXCEEDS : levelAt;
        levels = levels == null ? List.of() : List.copyOf(levels);
        boosts = boosts == null ? List.of() : List.copyOf(boosts);
        triggers = List.copyOf(triggers);
    }

    /** The level that a total holds: the highest one it exceeds, or reaches; null if none (semantics.md §6). */
    public Level levelOf(long total) {
        int held = levelsBelow(total);
        return held == 0 ? null : levels.get(held - 1);
    }

    /** How many levels, from the lowest up, a total exceeds, or reaches. */
    public int levelsBelow(long total) {
        int held = 0;
        int notHeld = levels.size();
        while (held < notHeld) {
            int middle = (held + notHeld) >>> 1;
            boolean holds = switch (levelAt) {
                case EXCEEDS -> total > levels.get(middle).points();
                case REACHES -> total >= levels.get(middle).points();
            };
            if (holds) {
                held = middle + 1;
            } else {
                notHeld = middle;
            }
        }
        return held;
    }
}
