package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.util.UUID;

/** A custom attribute that requests may set. The key is unique among attributes of the same type. */
public record Attribute(int number, UUID id, String key, String name, AttributeType type) {

    /** docs/admin-api.md A2. */
    public static final Kind<Attribute> KIND = Kind.of("attribute", Attribute.class, SharedFields.name())
            .identified(Keys.GIVEN).about("A custom attribute, whose values are text.")
            .requiredAtCreation("type", "name").shown("id", "name", "key", "type");

    /** The objects that an attribute describes. */
    public enum AttributeType {
        USER, EVENT
    }
}
