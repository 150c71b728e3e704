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
        Level held = null;
        for (Level level : levels) {
            boolean holds = switch (levelAt) {
                case EXCEEDS -> total > level.points();
                case REACHES -> total >= level.points();
            };
            if (!holds) {
                break;
            }
            held = level;
        }
        return held;
    }
}
