package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.ruleset.Origin;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The human form of a ruleset while an edit changes it: every object has its id, new ones come last. Belongs to one edit. */
final class EditDraft {

    /** The ruleset that is edited. */
    final Ruleset base;

    /** The time of the edit. */
    final Instant now;

    final List<Origin> origins;

    /** Where the parts of the object stand that is being created, if it brings some along. */
    final List<Place> parts = new ArrayList<>();

    Draft content;

    private EditDraft(Ruleset base, Instant now, List<Origin> origins, Draft content) {
        this.base = base;
        this.now = now;
        this.origins = new ArrayList<>(origins);
        this.content = content;
    }

    static EditDraft of(Ruleset ruleset, Instant now) {
        return new EditDraft(ruleset, now, List.of(), RulesetSource.of(ruleset, now).content());
    }

    EditDraft copy() {
        return new EditDraft(base, now, origins, content);
    }

    RulesetSource source() {
        return new RulesetSource(content);
    }

    void put(List<String> path, Object value) {
        content = content.with(path, value);
    }

    /** The key of the object that a field names by its id. @param field for messages */
    String keyOf(Target target, RequestFields item, String field, UUID id) throws BadInputException {
        String key = keyOf(content.at(target.path()), id);
        if (key == null) {
            throw item.bad(field, "is " + id + ", which is no " + target.label());
        }
        return key;
    }

    /** Null if no entry has this id. */
    static String keyOf(Draft entries, UUID id) {
        for (Map.Entry<String, Object> entry : entries.values().entrySet()) {
            if (id.equals(((Draft) entry.getValue()).id())) {
                return entry.getKey();
            }
        }
        return null;
    }
}
