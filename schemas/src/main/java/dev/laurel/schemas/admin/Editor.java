package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.kind.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetRefusedBody;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What an {@link Edit} makes of the newest ruleset. Pure: the same state, edit, time and random bytes give the
 * same result. */
public final class Editor {

    private Editor() {}

    /**
     * @param access which secrets there are; asked only for a {@link Edit.Patch}
     * @param now the time of the edit
     * @param entropy 32 random bytes, for the secrets of what is new
     */
    public static EditResult apply(Ruleset current, AccessIndex access, Edit.OfRuleset edit, Instant now,
            byte[] entropy) {
        EditResult result = switch (edit) {
            case Edit.Replace(RulesetSource source, Long base) -> replace(current, source, base, now);
            case Edit.Rollback(Ruleset to, Long base) -> rollback(current, to, base, now);
            case Edit.Create create -> BulkEditor.create(current, create, now);
            case Edit.Update update -> BulkEditor.update(current, update, now);
            case Edit.Delete delete -> BulkEditor.delete(current, delete, now);
            case Edit.Patch patch -> UnsubscribeKey.made(current.tenant(), access,
                    SettingsEditor.patch(current, access, patch, now), entropy);
            case Edit.RotateSecret(UUID webhook) -> WebhookSecrets.rotate(current, webhook, entropy);
        };
        return WebhookSecrets.kept(current, result, entropy);
    }

    private static EditResult replace(Ruleset current, RulesetSource source, Long base, Instant now) {
        return isFrom(base, current) ? answer(RulesetEditor.apply(current, source, now)) : overtaken(base, current);
    }

    private static EditResult rollback(Ruleset current, Ruleset to, Long base, Instant now) {
        return isFrom(base, current) ? answer(RulesetEditor.restore(current, to, now)) : overtaken(base, current);
    }

    private static boolean isFrom(Long base, Ruleset current) {
        return base == null || base == current.version();
    }

    private static EditResult overtaken(Long base, Ruleset current) {
        return EditResult.answer(422, new ErrorBody("The ruleset has changed since version " + base + ": it is at "
                + current.version() + " now. Fetch it, make your change again, and apply that."));
    }

    private static EditResult answer(RulesetEditor.Result result) {
        return switch (result) {
            case RulesetEditor.Result.Changed(Ruleset next) ->
                new EditResult(next, 200, new RulesetAppliedBody(next.version(), true, List.of()));
            case RulesetEditor.Result.Unchanged(Ruleset same) ->
                EditResult.answer(200, new RulesetAppliedBody(same.version(), false, List.of()));
            case RulesetEditor.Result.Invalid(List<Issue> issues) ->
                EditResult.answer(422, RulesetRefusedBody.of(issues));
        };
    }
}
