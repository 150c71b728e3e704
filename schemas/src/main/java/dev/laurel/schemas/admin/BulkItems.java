package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.wire.EditBody.DeletedBody.Deleted;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The bulk pattern (docs/admin-api.md A1): each item of a request is applied, or refused with an issue. Results are those of the
 * applied items, in the order of the request. Belongs to one edit.
 */
final class BulkItems {

    final List<IssueBody> issues = new ArrayList<>();

    interface Change<T, R> {

        R apply(T item) throws BadInputException;
    }

    interface Update<R> {

        R apply(UUID id, RequestFields item) throws BadInputException;
    }

    <T, R> List<R> create(List<T> items, Change<T, R> creation) {
        var created = new ArrayList<R>();
        for (int i = 0; i < items.size(); i++) {
            try {
                created.add(creation.apply(items.get(i)));
            } catch (BadInputException e) {
                issues.add(IssueBody.at(i, e.refusal().message()));
            }
        }
        return created;
    }

    <R> List<R> update(List<Object> items, Update<R> update) {
        var updated = new ArrayList<R>();
        for (int i = 0; i < items.size(); i++) {
            String id = RequestFields.idOf(items.get(i));
            try {
                updated.add(update.apply(idOf(id), RequestFields.of(items.get(i))));
            } catch (BadInputException e) {
                issues.add(IssueBody.ofUpdate(i, id, e.refusal().message()));
            }
        }
        return updated;
    }

    List<Deleted> delete(List<String> ids, Change<UUID, ?> deletion) {
        var deleted = new ArrayList<Deleted>();
        for (String id : ids) {
            try {
                deletion.apply(idOf(id));
                deleted.add(new Deleted(id));
            } catch (BadInputException e) {
                issues.add(IssueBody.of(id, e.refusal().message()));
            }
        }
        return deleted;
    }

    private static UUID idOf(@Nullable String text) throws BadInputException {
        UUID id = text == null ? null : Uuids.parse(text);
        if (id == null) {
            throw BadInputException.invalid("id must be a valid UUID");
        }
        return id;
    }
}
