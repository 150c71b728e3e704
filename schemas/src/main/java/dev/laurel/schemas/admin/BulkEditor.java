package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.Edit.NewItem;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.kind.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
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

/**
 * The bulk pattern for objects of the ruleset (docs/admin-api.md A1): each item changes the human form of the ruleset by itself, and
 * what the editor of rulesets has against that is the item's issue. An item is all or nothing; later ones see what earlier ones
 * did. Pure; belongs to one edit.
 */
final class BulkEditor {

    private final Ruleset current;
    private final ObjectKind kind;
    private final UUID parent;
    private final Instant now;
    private final List<IssueBody> issues = new ArrayList<>();
    private EditDraft draft;
    private ObjectEditor editor;
    private boolean isTouched;

    private BulkEditor(Ruleset current, ObjectKind kind, UUID parent, Instant now) {
        this.current = current;
        this.kind = kind;
        this.parent = parent;
        this.now = now;
        this.draft = EditDraft.of(current, now);
    }

    static EditResult create(Ruleset current, Edit.Create edit, Instant now) {
        return new BulkEditor(current, edit.kind(), edit.parent(), now).within(editor -> editor.create(edit.items()));
    }

    static EditResult update(Ruleset current, Edit.Update edit, Instant now) {
        return new BulkEditor(current, edit.kind(), edit.parent(), now).within(editor -> editor.update(edit.items()));
    }

    static EditResult delete(Ruleset current, Edit.Delete edit, Instant now) {
        return new BulkEditor(current, edit.kind(), edit.parent(), now).within(editor -> editor.delete(edit.ids()));
    }

    private EditResult within(Function<BulkEditor, EditResult> items) {
        String parentKey = kind.hasParent() ? EditDraft.keyOf(draft.content.part("points"), parent) : null;
        if (kind.hasParent()) {
            if (parentKey == null) {
                return EditResult.answer(404,
                        new ErrorBody(ObjectKind.POINTS_SYSTEM.label() + " not found by ID"));
            }
        }
        editor = new ObjectEditor(kind, parentKey);
        return items.apply(this);
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
        return new EditResult(changed(next), body.status(), body);
    }

    private EditResult update(List<Object> items) {
        var updated = new ArrayList<UUID>();
        for (Object json : items) {
            String given = idOf(json);
            UUID id = Uuids.parse(given);
            String problem = id == null
                    ? "id must be a valid UUID"
                    : tryOut(next -> change(next, id, RequestFields.of(json)), id);
            if (problem == null) {
                updated.add(id);
            } else {
                issues.add(issueOf(given, problem));
            }
        }
        Ruleset next = result();
        return new EditResult(changed(next), 200, new UpdatedBody(bodies(next, updated), issues));
    }

    private void change(EditDraft next, UUID id, RequestFields item) throws BadInputException {
        editor.update(next, existing(next, id), item);
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
                issues.add(issueOf(given, problem));
            }
        }
        return new EditResult(changed(result()), 200, new DeletedBody(deleted, issues));
    }

    private IssueBody issueOf(String id, String problem) {
        IssueBody issue = IssueBody.of(id, problem);
        return kind == ObjectKind.BOOST ? issue.ofBoost() : issue;
    }

    /** Empty if the item names none. */
    private static String idOf(Object json) {
        return json instanceof Map<?, ?> fields && fields.get("id") instanceof String id ? id : "";
    }

    private List<String> existing(EditDraft next, UUID id) throws BadInputException {
        List<String> path = editor.pathOf(next, id);
        if (path == null) {
            throw new BadInputException(Refusal.invalid(kind.label() + " not found by ID"));
        }
        return path;
    }

    private interface Change {
        void apply(EditDraft draft) throws BadInputException;
    }

    /** Null if the change stands, else what is wrong with it: then it has not happened. */
    private String tryOut(Change change, UUID id) {
        EditDraft next = draft.copy();
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
            next.parts.add(new Place(Place.pointer(path), "", kind.description().adminNames()));
            return IssueMessages.of(found, next.parts);
        }
        draft = next;
        isTouched = true;
        return null;
    }

    /** What all items that went through make together. */
    private Ruleset result() {
        if (!isTouched) {
            return current; // the first version is not made of nothing
        }
        return switch (RulesetEditor.apply(current, draft.source(), draft.origins, now)) {
            case RulesetEditor.Result.Changed(Ruleset next) -> next;
            case RulesetEditor.Result.Unchanged(Ruleset same) -> same;
            case RulesetEditor.Result.Invalid(List<Issue> found) ->
                throw new IllegalStateException("was valid before: " + found);
        };
    }

    private Ruleset changed(Ruleset next) {
        return next == current ? null : next;
    }

    private List<ObjectBody> bodies(Ruleset ruleset, List<UUID> ids) {
        if (ids.isEmpty()) {
            return new ArrayList<>();
        }
        var byId = ObjectBodies.of(kind, ruleset, parent, now).stream()
                .collect(Collectors.toMap(ObjectBody::id, Function.identity()));
        return ids.stream().map(byId::get).collect(Collectors.toCollection(ArrayList::new));
    }
}
