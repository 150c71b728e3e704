package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.key.UnicodeText;
import dev.laurel.schemas.key.Uuids;
import dev.laurel.schemas.ruleset.AttributeType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Fields that several kinds of objects have (admin-api.md A1 "Name rule"). */
final class SharedFields {

    private static final int MAX_FILTERS = 100;
    private static final int MAX_NAMED = 60;

    private SharedFields() {}

    /** The required key of a new object, which no other entry has. @param kind for the message */
    static String newKey(Item item, Map<String, ?> entries, String kind) throws BadInputException {
        return unused(item.requiredText("key"), entries, kind);
    }

    static String unused(String key, Map<String, ?> entries, String kind) throws BadInputException {
        if (entries.containsKey(key)) {
            throw new BadInputException(Refusal.invalid("Key already in use by another " + kind));
        }
        return key;
    }

    /** A field for which null counts as not given. */
    static String text(Item item, String field, String before) throws BadInputException {
        return item.has(field) ? item.text(field) : before;
    }

    /** What is given, or else what was there before. */
    static <T> T or(T given, T before) {
        return given == null ? before : given;
    }

    static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    /** How the admin API writes a constant. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The key of the metric that a field names by its id. */
    static String metricKey(Item item, String field, SourceDraft draft, String before) throws BadInputException {
        UUID id = item.uuid(field);
        return id == null ? before : item.known(field, id, draft.metricKey(id), "metric");
    }

    /** The key of the points system that a field names by its id. */
    static String pointsKey(Item item, String field, SourceDraft draft, String before) throws BadInputException {
        UUID id = item.uuid(field);
        return id == null ? before : item.known(field, id, draft.pointsKey(id), "points system");
    }

    /** The key of the attribute with this id. @param field for the message */
    static String attributeKey(Item item, String field, String text, AttributeType type, SourceDraft draft)
            throws BadInputException {
        UUID id = Uuids.parse(text);
        if (id == null) {
            throw item.bad(field, "must be a valid UUID");
        }
        return item.known(field, id, draft.attributeKey(type, id), word(type) + " attribute");
    }

    /** A field that null clears. */
    static String clearable(Item item, String field, String before) throws BadInputException {
        return item.isNull(field) ? null : text(item, field, before);
    }

    /** The key of an object that the admin API knows by its id only, if a document named it. */
    static Optional<String> shownKey(String key, UUID id) {
        return key.equals(id.toString()) ? Optional.empty() : Optional.of(key);
    }

    static String status(boolean isActive) {
        return isActive ? "active" : "inactive";
    }

    /** The field {@code badge}, {@code {url}} or null: the address. */
    static String badgeUrl(Item item, String before) throws BadInputException {
        if (item.isNull("badge")) {
            return null;
        }
        Item badge = item.object("badge");
        return badge == null ? before : badge.requiredText("url");
    }

    /**
     * Filters {@code [{attributeId, attributeValue}]} as values by attribute key; null clears.
     *
     * @param before what they are if the field is not given
     */
    static Map<String, String> filters(Item item, String field, AttributeType type, SourceDraft draft,
            Map<String, String> before) throws BadInputException {
        if (item.isNull(field)) {
            return Map.of();
        }
        List<Item> given = item.items(field, MAX_FILTERS);
        if (given == null) {
            return before;
        }
        var filters = new LinkedHashMap<String, String>();
        for (Item filter : given) {
            String key = attributeKey(filter, "attributeId", filter.requiredText("attributeId"), type, draft);
            String value = filter.requiredText("attributeValue");
            String other = filters.putIfAbsent(key, value);
            if (other != null && !other.equals(value)) {
                throw filter.bad("attributeValue", "asks for two values of '" + UnicodeText.cut(key, MAX_NAMED) + "'");
            }
        }
        return filters;
    }
}
