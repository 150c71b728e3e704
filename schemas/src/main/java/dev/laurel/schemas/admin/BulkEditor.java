package dev.laurel.schemas.admin;

import dev.laurel.schemas.admin.IssueMessages.ObjectPath;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.NewItem;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.wire.EditBody.CreatedBody;
import dev.laurel.schemas.wire.EditBody.DeletedBody;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import dev.laurel.schemas.wire.EditBody.UpdatedBody;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.ObjectBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Applies the bulk pattern to objects of the ruleset (docs/admin-api.md A1). Each item changes the human form of the ruleset
 * separately; an issue that {@link RulesetEditor} finds becomes an issue of the item. An item is applied as a whole or not at
 * all; later items see earlier ones. Pure; belongs to one edit.
 */
final class BulkEditor {

    private final Ruleset current;
    private final ObjectKind kind;
    private final @Nullable UUID parent;
    private final Instant now;
    private final BulkItems bulk = new BulkItems();
    private final ObjectEditor editor;
    private PendingEdit draft;
    private boolean isChanged;

    private BulkEditor(PendingEdit draft, ObjectKind kind, @Nullable UUID parent, @Nullable String parentKey) {
        this.current = draft.base;
        this.kind = kind;
        this.parent = parent;
        this.now = draft.now;
        this.editor = new ObjectEditor(kind, parentKey);
        this.draft = draft;
    }

    static EditResult apply(Ruleset current, Edit.OfObjects edit, Instant now) {
        PendingEdit draft = PendingEdit.of(current, now);
        UUID parent = edit.parent();
        String parentKey = parent == null ? null : PendingEdit.keyOf(draft.content.part("points"), parent);
        if (edit.kind().hasParent() && parentKey == null) {
            return EditResult.answer(404, new ErrorBody(ObjectKind.POINTS_SYSTEM.label() + " not found by ID"));
        }
        var editor = new BulkEditor(draft, edit.kind(), parent, parentKey);
        return switch (edit) {
            case Edit.Create create -> editor.create(create.items());
            case Edit.Update update -> editor.update(update.items());
            case Edit.Delete delete -> editor.delete(delete.ids());
        };
    }

    private EditResult create(List<NewItem> items) {
        List<NewItem> created = bulk.create(items, item -> {
            tryOut(next -> editor.create(next, item.id(), RequestFields.of(item.fields())), item.id());
            return item;
        });
        Ruleset next = result();
        List<ObjectBody> bodies = bodies(next, created.stream().map(NewItem::id).toList());
        for (int i = 0; i < bodies.size(); i++) {
            bodies.set(
                    i, ObjectBodies.created(kind, bodies.get(i), created.get(i).fields(), next, now));
        }
        var body = new CreatedBody(bodies, bulk.issues);
        return new EditResult(changed(next), Map.of(), body.status(), body);
    }

    private EditResult update(List<Object> items) {
        List<UUID> updated =
                bulk.update(items, (id, item) -> tryOut(next -> editor.update(next, existing(next, id), item), id));
        Ruleset next = result();
        return new EditResult(changed(next), Map.of(), 200, new UpdatedBody(bodies(next, updated), issues()));
    }

    private EditResult delete(List<String> ids) {
        List<DeletedBody.Deleted> deleted =
                bulk.delete(ids, id -> tryOut(next -> next.put(existing(next, id), null), id));
        return new EditResult(changed(result()), Map.of(), 200, new DeletedBody(deleted, issues()));
    }

    private List<IssueBody> issues() {
        return kind == ObjectKind.BOOST
                ? bulk.issues.stream().map(IssueBody::ofBoost).toList()
                : bulk.issues;
    }

    private List<String> existing(PendingEdit next, UUID id) throws BadInputException {
        List<String> path = editor.pathOf(next, id);
        if (path == null) {
            throw BadInputException.invalid(kind.label() + " not found by ID");
        }
        return path;
    }

    private interface Change {
        void apply(PendingEdit draft) throws BadInputException;
    }

    /** Applies a change if it is valid. @param id of the object @return the id */
    private UUID tryOut(Change change, UUID id) throws BadInputException {
        PendingEdit next = draft.copy();
        change.apply(next);
        var result = RulesetEditor.apply(current, next.source(), next.origins, now);
        if (result instanceof Result.Invalid(List<Issue> found)) {
            List<String> path = editor.pathOf(next, id);
            if (path == null) {
                throw BadInputException.invalid(IssueMessages.stillUsed(kind, found));
            }
            next.parts.add(new ObjectPath(path, "", kind.description().adminNames()));
            throw BadInputException.invalid(IssueMessages.of(found, next.parts));
        }
        draft = next;
        isChanged = true;
        return id;
    }

    /** The ruleset after all applied items. */
    private Ruleset result() {
        if (!isChanged) {
            return current; // without a change there is no version, not even a first one
        }
        return switch (RulesetEditor.apply(current, draft.source(), draft.origins, now)) {
            case Result.Changed(Ruleset next) -> next;
            case Result.Unchanged(Ruleset same) -> same;
            case Result.Invalid(List<Issue> found) ->
                throw new IllegalStateException("each item was valid before: " + found);
        };
    }

    private @Nullable Ruleset changed(Ruleset next) {
        return next == current ? null : next;
    }

    private List<ObjectBody> bodies(Ruleset ruleset, List<UUID> ids) {
        if (ids.isEmpty()) {
            return new ArrayList<>();
        }
        var byId = ObjectBodies.ofExisting(kind, ruleset, parent, now).stream()
                .collect(Collectors.toMap(ObjectBody::id, Function.identity()));
        return ids.stream().map(byId::get).collect(Collectors.toCollection(ArrayList::new));
    }
}
