package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A level of a points system (docs/semantics.md §6).
 *
 * @param key unique in its points system
 * @param points threshold, unique in its points system
 */
public record Level(
        int number,
        UUID id,
        String key,
        String name,
        String description,
        @Nullable String badgeUrl,
        long points) {

    /** A user holds the level with the most points among those that the total has passed (docs/admin-api.md A4). */
    public static final Kind<Level> KIND = Kind.of(
                    "level",
                    Level.class,
                    SharedFields.name(),
                    SharedFields.description().defaultsTo(""),
                    SharedFields.badgeUrl(),
                    // The total at which the level begins. Must be unique in the points system.
                    // API: The total at which the level begins. Unique in the system.
                    Field.whole("points", 0, SharedFields.MAX_POINTS).required())
            .identified(Keys.GIVEN)
            .requiredAtCreation("name")
            .shown("id", "name", "key", "points", "description", "badge");
}
