package dev.laurel.schemas.admin;

import dev.laurel.schemas.admin.IssueMessages.ObjectPath;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.Type.Target;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity.Origin;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The human form of a ruleset during an edit. Every object has its id, and new objects are last. Belongs to one edit. */
final class PendingEdit {

    final Ruleset base;

    final Instant now;

    final List<Origin> origins;

    /** The paths of the edited object and of the parts that are created with it. */
    final List<ObjectPath> parts = new ArrayList<>();

    FieldMap content;

    private PendingEdit(Ruleset base, Instant now, List<Origin> origins, FieldMap content) {
        this.base = base;
        this.now = now;
        this.origins = new ArrayList<>(origins);
        this.content = content;
    }

    static PendingEdit of(Ruleset ruleset, Instant now) {
        return new PendingEdit(
                ruleset, now, List.of(), RulesetSource.of(ruleset, now).content());
    }

    PendingEdit copy() {
        return new PendingEdit(base, now, origins, content);
    }

    RulesetSource source() {
        return new RulesetSource(content);
    }

    void put(List<String> path, @Nullable Object value) {
        content = content.with(path, value);
    }

    /** The key of the object to which a field refers by id. @param field name of the field, for messages */
    String keyOf(Target target, RequestFields item, String field, UUID id) throws BadInputException {
        String key = keyOf(content.at(target.path()), id);
        if (key == null) {
            throw item.bad(field, "is " + id + ", which is no " + target.label());
        }
        return key;
    }

    /** The key of the object with this id. */
    static @Nullable String keyOf(FieldMap entries, UUID id) {
        for (Map.Entry<String, FieldMap> entry : entries.objects().entrySet()) {
            if (id.equals(entry.getValue().id())) {
                return entry.getKey();
            }
        }
        return null;
    }
}
