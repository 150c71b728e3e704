package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Origin;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.wire.AttributeBody;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Custom attributes (admin-api.md A2). Two types may use one key, so the key here is {@code type/key}. */
final class AttributeForm implements ObjectForm {

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        item.require("type");
        AttributeType type = item.word("type", "user", "event").equals("user")
                ? AttributeType.USER
                : AttributeType.EVENT;
        String name = item.requiredText("name");
        String key = SharedFields.newKey(item, draft.attributes(type), word(type) + " attribute");
        draft.attributes(type).put(key, new AttributeSource(id, name));
        draft.origins.add(new Origin.Fresh(word(type) + "-attribute", key));
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        AttributeType type = typeOf(key);
        String own = key.substring(key.indexOf('/') + 1);
        AttributeSource before = draft.attributes(type).get(own);
        draft.attributes(type).put(own,
                new AttributeSource(before.id(), SharedFields.text(item, "name", before.name())));
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        draft.attributes(typeOf(key)).remove(key.substring(key.indexOf('/') + 1));
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        for (AttributeType type : AttributeType.values()) {
            String key = draft.attributeKey(type, id);
            if (key != null) {
                return word(type) + "/" + key;
            }
        }
        return null;
    }

    private static AttributeType typeOf(String key) {
        return key.startsWith("user/") ? AttributeType.USER : AttributeType.EVENT;
    }

    private static String word(AttributeType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("attributes", key.substring(0, key.indexOf('/')), key.substring(key.indexOf('/') + 1));
    }

    @Override
    public List<AttributeBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        return ruleset.attributes().stream().sorted(Comparator.comparingInt(Attribute::number))
                .map(a -> new AttributeBody(a.id(), a.name(), a.key(), word(a.type()))).toList();
    }
}
