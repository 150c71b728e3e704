package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.util.UUID;

/** A custom attribute that requests may set; its key is unique among those of its type. */
public record Attribute(int number, UUID id, String key, String name, AttributeType type) {

    /** docs/admin-api.md A2. */
    public static final Kind<Attribute> KIND = Kind.of("attribute", Attribute.class, SharedFields.name())
            .identified(Keys.GIVEN).about("A custom attribute; its values are texts.")
            .requiredAtCreation("type", "name").shown("id", "name", "key", "type");

    /** What an attribute describes. */
    public enum AttributeType {
        USER, EVENT
    }
}
