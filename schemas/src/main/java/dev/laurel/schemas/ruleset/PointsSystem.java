package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.kind.Records;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A counter per user.
 *
 * @param maxPoints cap on a user's total; null: no cap
 * @param levels by ascending threshold
 */
public record PointsSystem(
        int number,
        UUID id,
        String key,
        String name,
        @Nullable String description,
        @Nullable String badgeUrl,
        @Nullable Long maxPoints,
        LevelRule levelAt,
        List<Level> levels,
        List<Boost> boosts,
        List<PointsTrigger> triggers) {

    /** A counter per user, a whole number that is never negative, changed by its triggers (docs/admin-api.md A4). */
    public static final Kind<PointsSystem> KIND = Kind.of(
                    "points system",
                    PointsSystem.class,
                    SharedFields.name(),
                    SharedFields.description().shownMissing(""),
                    SharedFields.badgeUrl(),
                    // The cap on a user's total. Left out: no cap. A lower cap does not reduce totals that exceed it.
                    Field.whole("maxPoints", 1, SharedFields.MAX_POINTS)
                            .clearable()
                            .shownMissing(Missing.NULL),
                    // Whether a user holds a level when the total exceeds its points, or already when it reaches them.
                    Field.word("levelAt", LevelRule.class).defaultsTo("exceeds"),
                    // The levels, by level key, in any order.
                    Field.entries("levels", Level.KIND, Kind.MAX_OBJECTS)
                            .together(PointsSystem::thresholds)
                            .hidden(),
                    // The boosts of all users, by boost key.
                    Field.entries("boosts", Boost.KIND, Kind.MAX_OBJECTS).hidden(),
                    // The triggers, by trigger key.
                    Field.entries("triggers", PointsTrigger.KIND, Kind.MAX_OBJECTS)
                            .hidden())
            .identified(Keys.GIVEN)
            .requiredAtCreation("name")
            .shown("id", "name", "key", "description", "badge", "maxPoints", "levelAt", "status");

    private static void thresholds(IssueList issues, String path, FieldMap levels) {
        var owners = new HashMap<Object, String>();
        levels.values().forEach((key, level) -> {
            String at = path + "/" + IssueList.escaped(key);
            Object points = level instanceof FieldMap draft ? draft.get("points") : null;
            String other = points == null ? null : owners.putIfAbsent(points, at);
            if (other != null) {
                issues.add(
                        at + "/points", "is also that of " + other + "; each level of a points system needs its own");
            }
        });
    }

    public PointsSystem {
        levelAt = levelAt == null ? LevelRule.EXCEEDS : levelAt;
        levels = Records.listOf(levels);
        boosts = Records.listOf(boosts);
        triggers = List.copyOf(triggers);
    }

    /** The level that a user with this total holds (docs/semantics.md §6); null if none. */
    public @Nullable Level levelOf(long total) {
        int held = levelsBelow(total);
        return held == 0 ? null : levels.get(held - 1);
    }

    /** The number of levels that a total has passed. */
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

    /** The comparison of a total with the threshold of a level. */
    public enum LevelRule {
        /** The total must be above the threshold. */
        EXCEEDS,
        /** The total must be at or above the threshold. */
        REACHES
    }
}
