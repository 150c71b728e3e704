package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.util.UUID;

/**
 * A level of a points system (docs/semantics.md §6).
 *
 * @param key unique in its points system
 * @param description empty if none, never null
 * @param badgeUrl null if none
 * @param points the threshold, unique in the system
 */
public record Level(int number, UUID id, String key, String name, String description, String badgeUrl, long points) {

    /** docs/admin-api.md A4. */
    public static final Kind<Level> KIND = Kind.of("level", Level.class, SharedFields.name(),
            SharedFields.description().defaultsTo(""), SharedFields.badgeUrl(),
            Field.whole("points", 0, SharedFields.MAX_POINTS).required()
                    .about("The total at which it begins; no two levels of a system have the same.")
                    .adminAbout("Unique in the system."))
            .identified(Keys.GIVEN)
            .about("A user has the level with the most points among those that the total has passed.")
            .requiredAtCreation("name").shown("id", "name", "key", "points", "description", "badge");
}
