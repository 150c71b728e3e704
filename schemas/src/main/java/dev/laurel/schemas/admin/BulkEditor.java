package dev.laurel.schemas.admin;

import dev.laurel.schemas.admin.Edit.NewItem;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.key.Uuids;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.ruleset.RulesetIssue;
import dev.laurel.schemas.wire.AdminBody;
import dev.laurel.schemas.wire.CreatedBody;
import dev.laurel.schemas.wire.DeletedBody;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.IssueBody;
import dev.laurel.schemas.wire.UpdatedBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The bulk pattern for objects of the ruleset (admin-api.md A1): each item changes the human form of the ruleset by itself, and
 * what the editor of rulesets has against that is the item's issue. An item is all or nothing; later ones see what earlier ones
 * did. Pure; belongs to one edit.
 */
final class BulkEditor {

    private final Ruleset current;
    private final ObjectKind kind;
    private final ObjectForm form;
    private final UUID parent;
    private final Instant now;
    private final List<IssueBody> issues = new ArrayList<>();
    private SourceDraft draft;
    private String parentKey;
    private boolean isTouched;

    private BulkEditor(Ruleset current, ObjectKind kind, UUID parent, Instant now) {
        this.current = current;
        this.kind = kind;
        this.form = ObjectForms.of(kind);
        this.parent = parent;
        this.now = now;
        this.draft = SourceDraft.of(current, now);
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
        if (kind.hasParent()) {
            parentKey = draft.pointsKey(parent);
            if (parentKey == null) {
                return EditResult.answer(404,
                        new ErrorBody(ObjectKind.POINTS_SYSTEM.label() + " not found by ID"));
            }
        }
        return items.apply(this);
    }

    private EditResult create(List<NewItem> items) {
        var created = new ArrayList<NewItem>();
        for (int i = 0; i < items.size(); i++) {
            NewItem item = items.get(i);
            String problem = tryOut(next -> form.create(next, parentKey, item.id(), Item.of(item.fields())),
                    item.id());
            if (problem == null) {
                created.add(item);
            } else {
                issues.add(IssueBody.at(i, problem));
            }
        }
        Ruleset next = result();
        List<AdminBody> bodies = bodies(next, created.stream().map(NewItem::id).toList());
        for (int i = 0; i < bodies.size(); i++) {
            bodies.set(i, form.created(bodies.get(i), created.get(i).fields(), next, now));
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
                    : tryOut(next -> change(next, id, Item.of(json)), id);
            if (problem == null) {
                updated.add(id);
            } else {
                issues.add(issueOf(given, problem));
            }
        }
        Ruleset next = result();
        return new EditResult(changed(next), 200, new UpdatedBody(bodies(next, updated), issues));
    }

    private void change(SourceDraft next, UUID id, Item item) throws BadInputException {
        form.update(next, parentKey, existing(next, id), item);
    }

    private EditResult delete(List<String> ids) {
        var deleted = new ArrayList<DeletedBody.Deleted>();
        for (String given : ids) {
            UUID id = Uuids.parse(given);
            String problem = id == null
                    ? "id must be a valid UUID"
                    : tryOut(next -> form.delete(next, parentKey, existing(next, id)), id);
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

    private String existing(SourceDraft next, UUID id) throws BadInputException {
        String key = form.keyOf(next, parentKey, id);
        if (key == null) {
            throw new BadInputException(Refusal.invalid(kind.label() + " not found by ID"));
        }
        return key;
    }

    private interface Change {
        void apply(SourceDraft draft) throws BadInputException;
    }

    /** Null if the change stands, else what is wrong with it: then it has not happened. */
    private String tryOut(Change change, UUID id) {
        SourceDraft next = draft.copy();
        try {
            change.apply(next);
        } catch (BadInputException e) {
            return e.refusal().message();
        }
        var result = RulesetEditor.apply(current, next.toSource(), next.origins, now);
        if (result instanceof RulesetEditor.Result.Invalid(List<RulesetIssue> found)) {
            String key = form.keyOf(next, parentKey, id);
            if (key == null) {
                return IssueWords.stillUsed(kind, found);
            }
            next.parts.add(new Place(form.place(parentKey, key), "", form.fieldNames()));
            return IssueWords.of(found, next.parts);
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
        return switch (RulesetEditor.apply(current, draft.toSource(), draft.origins, now)) {
            case RulesetEditor.Result.Changed(Ruleset next) -> next;
            case RulesetEditor.Result.Unchanged(Ruleset same) -> same;
            case RulesetEditor.Result.Invalid(List<RulesetIssue> found) ->
                throw new IllegalStateException("was valid before: " + found);
        };
    }

    private Ruleset changed(Ruleset next) {
        return next == current ? null : next;
    }

    private List<AdminBody> bodies(Ruleset ruleset, List<UUID> ids) {
        if (ids.isEmpty()) {
            return new ArrayList<>();
        }
        var byId = form.bodies(ruleset, parent, now).stream()
                .collect(Collectors.toMap(AdminBody::id, body -> (AdminBody) body));
        return ids.stream().map(byId::get).collect(Collectors.toCollection(ArrayList::new));
    }
}
