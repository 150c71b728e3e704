package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.util.HashMap;
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

    /** docs/admin-api.md A4. */
    public static final Kind<PointsSystem> KIND = Kind.of("points system", PointsSystem.class, SharedFields.name(),
            SharedFields.description().shownMissing(""), SharedFields.badgeUrl(),
            Field.whole("maxPoints", 1, SharedFields.MAX_POINTS).clearable().shownMissing(Missing.NULL)
                    .about("The cap on a user's total. Left out: none. Lowering it leaves totals that are above it."),
            Field.word("levelAt", LevelRule.class).defaultsTo("exceeds")
                    .about("Whether a user has a level once the total exceeds its points, or once it reaches them."),
            Field.entries("levels", Level.KIND, SharedFields.MAX_OBJECTS).together(PointsSystem::thresholds).hidden()
                    .about("The levels, by level key, in any order: their points order them."),
            Field.entries("boosts", Boost.KIND, SharedFields.MAX_OBJECTS).hidden()
                    .about("What multiplies awards for a while, by boost key."),
            Field.entries("triggers", PointsTrigger.KIND, SharedFields.MAX_OBJECTS).hidden()
                    .about("What awards or deducts points, by trigger key."))
            .identified(Keys.GIVEN)
            .about("A counter per user, a whole number from 0 on, moved by its triggers.").requiredAtCreation("name")
            .shown("id", "name", "key", "description", "badge", "maxPoints", "levelAt", "status");

    private static void thresholds(IssueList issues, String path, Draft levels) {
        var owners = new HashMap<Object, String>();
        levels.values().forEach((key, level) -> {
            String at = path + "/" + IssueList.escaped(key);
            Object points = level instanceof Draft draft ? draft.get("points") : null;
            String other = points == null ? null : owners.putIfAbsent(points, at);
            if (other != null) {
                issues.add(at + "/points",
                        "is also that of " + other + "; each level of a points system needs its own");
            }
        });
    }

    public PointsSystem {
        levelAt = levelAt == null ? LevelRule.EXCEEDS : levelAt;
        levels = levels == null ? List.of() : List.copyOf(levels);
        boosts = boosts == null ? List.of() : List.copyOf(boosts);
        triggers = List.copyOf(triggers);
    }

    /** The level that a total holds: the highest one it exceeds, or reaches; null if none (docs/semantics.md §6). */
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

    /** How a total compares with a level's threshold. */
    public enum LevelRule {
        /** The total must be above it. */
        EXCEEDS,
        /** The total must be at or above it. */
        REACHES
    }
}
