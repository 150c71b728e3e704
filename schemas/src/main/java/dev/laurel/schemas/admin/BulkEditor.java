package dev.laurel.schemas.admin;

import dev.laurel.schemas.admin.IssueMessages.ObjectPath;
import dev.laurel.schemas.edit.Edit.NewItem;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
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
    private final List<IssueBody> issues = new ArrayList<>();
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

    static EditResult create(Ruleset current, Edit.Create edit, Instant now) {
        return apply(current, edit.kind(), edit.parent(), now, editor -> editor.create(edit.items()));
    }

    static EditResult update(Ruleset current, Edit.Update edit, Instant now) {
        return apply(current, edit.kind(), edit.parent(), now, editor -> editor.update(edit.items()));
    }

    static EditResult delete(Ruleset current, Edit.Delete edit, Instant now) {
        return apply(current, edit.kind(), edit.parent(), now, editor -> editor.delete(edit.ids()));
    }

    private static EditResult apply(Ruleset current, ObjectKind kind, @Nullable UUID parent, Instant now,
            Function<BulkEditor, EditResult> edit) {
        PendingEdit draft = PendingEdit.of(current, now);
        String parentKey = parent == null ? null : PendingEdit.keyOf(draft.content.part("points"), parent);
        return kind.hasParent() && parentKey == null
                ? EditResult.answer(404, new ErrorBody(ObjectKind.POINTS_SYSTEM.label() + " not found by ID"))
                : edit.apply(new BulkEditor(draft, kind, parent, parentKey));
    }

    private EditResult create(List<NewItem> items) {
        var created = new ArrayList<NewItem>();
        for (int i = 0; i < items.size(); i++) {
            NewItem item = items.get(i);
            String problem = tryOut(next -> editor.create(next, item.id(), RequestFields.of(item.fields())), item.id());
            if (problem == null) {
                created.add(item);
            } else {
                issues.add(IssueBody.at(i, problem));
            }
        }
        Ruleset next = result();
        List<ObjectBody> bodies = bodies(next, created.stream().map(NewItem::id).toList());
        for (int i = 0; i < bodies.size(); i++) {
            bodies.set(i, ObjectBodies.created(kind, bodies.get(i), created.get(i).fields(), next, now));
        }
        var body = new CreatedBody(bodies, issues);
        return new EditResult(changed(next), Map.of(), body.status(), body);
    }

    private EditResult update(List<Object> items) {
        var updated = new ArrayList<UUID>();
        for (int i = 0; i < items.size(); i++) {
            Object json = items.get(i);
            String given = RequestFields.idOf(json);
            UUID id = given == null ? null : Uuids.parse(given);
            String problem = id == null
                    ? "id must be a valid UUID"
                    : tryOut(next -> editor.update(next, existing(next, id), RequestFields.of(json)), id);
            if (problem == null) {
                updated.add(id);
            } else {
                issues.add(issueOf(IssueBody.ofUpdate(i, given, problem)));
            }
        }
        Ruleset next = result();
        return new EditResult(changed(next), Map.of(), 200,
                new UpdatedBody(bodies(next, updated), issues));
    }

    private EditResult delete(List<String> ids) {
        var deleted = new ArrayList<DeletedBody.Deleted>();
        for (String given : ids) {
            UUID id = Uuids.parse(given);
            String problem = id == null
                    ? "id must be a valid UUID"
                    : tryOut(next -> next.put(existing(next, id), null), id);
            if (problem == null) {
                deleted.add(new DeletedBody.Deleted(given));
            } else {
                issues.add(issueOf(IssueBody.of(given, problem)));
            }
        }
        return new EditResult(changed(result()), Map.of(), 200,
                new DeletedBody(deleted, issues));
    }

    private IssueBody issueOf(IssueBody issue) {
        return kind == ObjectKind.BOOST ? issue.ofBoost() : issue;
    }

    private List<String> existing(PendingEdit next, UUID id) throws BadInputException {
        List<String> path = editor.pathOf(next, id);
        if (path == null) {
            throw new BadInputException(Refusal.invalid(kind.label() + " not found by ID"));
        }
        return path;
    }

    private interface Change {
        void apply(PendingEdit draft) throws BadInputException;
    }

    /** Applies a change if it is valid. @return what is wrong with it; null if it was applied */
    private @Nullable String tryOut(Change change, UUID id) {
        PendingEdit next = draft.copy();
        try {
            change.apply(next);
        } catch (BadInputException e) {
            return e.refusal().message();
        }
        var result = RulesetEditor.apply(current, next.source(), next.origins, now);
        if (result instanceof RulesetEditor.Result.Invalid(List<Issue> found)) {
            List<String> path = editor.pathOf(next, id);
            if (path == null) {
                return IssueMessages.stillUsed(kind, found);
            }
            next.parts.add(new ObjectPath(path, "", kind.description().adminNames()));
            return IssueMessages.of(found, next.parts);
        }
        draft = next;
        isChanged = true;
        return null;
    }

    /** The ruleset after all applied items. */
    private Ruleset result() {
        if (!isChanged) {
            return current; // without a change there is no version, not even a first one
        }
        return switch (RulesetEditor.apply(current, draft.source(), draft.origins, now)) {
            case RulesetEditor.Result.Changed(Ruleset next) -> next;
            case RulesetEditor.Result.Unchanged(Ruleset same) -> same;
            case RulesetEditor.Result.Invalid(List<Issue> found) ->
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
