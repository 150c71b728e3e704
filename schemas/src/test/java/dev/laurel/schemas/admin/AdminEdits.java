package dev.laurel.schemas.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Applies edits to one ruleset in sequence, with items and answers as JSON. The nth created object gets the id
 * {@link #id}{@code (n)}.
 */
final class AdminEdits {

    Instant now = Instant.parse("2026-03-04T12:00:00Z");
    Ruleset ruleset = Ruleset.empty(TenantId.NONE);
    final AccessIndex access = InMemoryAccessStore.index();
    private int lastId;
    private byte lastEntropy;

    static UUID id(int n) {
        return new UUID(0x4000L, Long.MIN_VALUE | n);
    }

    void replace(String source) {
        apply(new Edit.Replace(Json.read(source.getBytes(UTF_8), RulesetSource.class), null));
    }

    /** @param parent id of the points system, or null if there is none */
    String create(ObjectKind kind, UUID parent, String items) {
        var numbered = new ArrayList<Edit.NewItem>();
        for (Object item : list(items)) {
            numbered.add(new Edit.NewItem(id(++lastId), item));
        }
        return apply(new Edit.Create(kind, parent, numbered));
    }

    String update(ObjectKind kind, UUID parent, String items) {
        return apply(new Edit.Update(kind, parent, list(items)));
    }

    String delete(ObjectKind kind, UUID parent, UUID... ids) {
        return apply(new Edit.Delete(
                kind, parent, List.of(ids).stream().map(UUID::toString).toList()));
    }

    /** @return status and body */
    String patch(SettingsKind kind, String fields) {
        try {
            EditResult result = judge(new Edit.Patch(
                    kind, Json.readForeignObject(fields.replace('\'', '"').getBytes(UTF_8))));
            return result.status() + " " + text(result.body());
        } catch (BadInputException e) {
            throw new IllegalArgumentException(fields, e);
        }
    }

    /** @return the body alone */
    String merge(SettingsKind kind, String fields) {
        return patch(kind, fields).substring("200 ".length());
    }

    String rotate(UUID webhook) {
        return apply(new Edit.RotateSecret(webhook));
    }

    /** Returns the body of a GET of the singleton. */
    String show(SettingsKind kind) {
        return text(ObjectBodies.settings(kind, ruleset, access));
    }

    /** Returns the signing secret of the webhook, or null if it has none. */
    String signingSecret(UUID webhook) {
        return access.secret(ruleset.tenant(), webhook.toString(), Secret.SIGNING);
    }

    /** Returns the body of a GET of the collection. */
    String list(ObjectKind kind, UUID parent) {
        return text(ObjectBodies.of(kind, ruleset, parent, now));
    }

    private static List<Object> list(String items) {
        try {
            return Json.readForeignArray(items.replace('\'', '"').getBytes(UTF_8));
        } catch (BadInputException e) {
            throw new IllegalArgumentException(items, e);
        }
    }

    private String apply(Edit edit) {
        return text(judge(edit).body());
    }

    EditResult judge(Edit edit) {
        // The writer reads the edit from the log.
        var read = (Edit.OfRuleset) Json.read(Json.write(edit), Edit.class);
        byte[] entropy = new byte[32];
        entropy[0] = ++lastEntropy;
        EditResult result = Editor.apply(ruleset, access, read, now, entropy);
        result.access().forEach((key, record) -> access.put(key, Json.read(Json.write(record), AccessRecord.class)));
        if (result.ruleset() != null) {
            ruleset = result.ruleset();
        }
        return result;
    }

    private static String text(Object body) {
        return new String(Json.write(body), UTF_8).replace('"', '\'');
    }
}
