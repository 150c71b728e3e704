package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.AdminBody;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * How the admin API sees one kind of object: which entry of the source its fields change. What may stand in a field beyond its
 * type, the validator and the editor of rulesets judge afterwards. Stateless.
 */
interface ObjectForm {

    /**
     * Adds the object to the draft.
     *
     * @param parent key of the points system it belongs to, null where there is none
     * @param id of the new object
     */
    void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException;

    /** Changes the fields that are given. @param key of an entry of the draft */
    void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException;

    void delete(SourceDraft draft, String parent, String key);

    /** The key of the object with this id, as {@link #update} takes it; null if there is none. */
    String keyOf(SourceDraft draft, String parent, UUID id);

    /** JSON pointer of the object's entry in the source: issues below it are about the object's fields. */
    String place(String parent, String key);

    /** How fields of the source are called in the admin API, where the names differ. */
    default Map<String, String> fieldNames() {
        return Map.of();
    }

    /**
     * What the answer to a creation shows of the object.
     *
     * @param body what is always shown of it
     * @param json the fields of the item that it was made from
     */
    default AdminBody created(AdminBody body, Object json, Ruleset ruleset, Instant now) {
        return body;
    }

    /** All of them, oldest first. @param parent id of the points system, null where there is none */
    List<? extends AdminBody> bodies(Ruleset ruleset, UUID parent, Instant now);
}
