package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.kind.Issue;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.ruleset.edit.TemplateVariables;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetRefusedBody;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Applies an {@link Edit} to the newest ruleset. Pure: equal arguments give equal results. */
public final class Editor {

    private Editor() {}

    /**
     * @param access the present secrets, needed only for an {@link Edit.Patch}
     * @param now time of the edit
     * @param entropy 32 random bytes for new secrets
     */
    public static EditResult apply(Ruleset current, AccessIndex access, Edit.OfRuleset edit, Instant now,
            byte[] entropy) {
        EditResult result = switch (edit) {
            case Edit.Replace(RulesetSource source, Long base) -> replace(current, source, base, now);
            case Edit.Rollback(Ruleset to, Long base) -> rollback(current, to, base, now);
            case Edit.Create create -> BulkEditor.create(current, create, now);
            case Edit.Update update -> BulkEditor.update(current, update, now);
            case Edit.Delete delete -> BulkEditor.delete(current, delete, now);
            case Edit.Patch patch -> UnsubscribeKey.withKey(current.tenant(), access,
                    SettingsEditor.patch(current, access, patch, now), entropy);
            case Edit.RotateSecret(UUID webhook) -> WebhookSecrets.rotate(current, webhook, entropy);
        };
        return WebhookSecrets.withSecrets(current, result, entropy);
    }

    private static EditResult replace(Ruleset current, RulesetSource source, @Nullable Long base, Instant now) {
        return isBasedOn(base, current) ? answer(RulesetEditor.apply(current, source, now)) : overtaken(base, current);
    }

    private static EditResult rollback(Ruleset current, Ruleset to, @Nullable Long base, Instant now) {
        return isBasedOn(base, current) ? answer(RulesetEditor.restore(current, to, now)) : overtaken(base, current);
    }

    private static boolean isBasedOn(@Nullable Long base, Ruleset current) {
        return base == null || base == current.version();
    }

    private static EditResult overtaken(@Nullable Long base, Ruleset current) {
        return EditResult.answer(422, new ErrorBody("The ruleset has changed since version " + base + ": it is at "
                + current.version() + " now. Fetch it, make your change again, and apply that."));
    }

    private static EditResult answer(RulesetEditor.Result result) {
        return switch (result) {
            case RulesetEditor.Result.Changed(Ruleset next) ->
                new EditResult(next, Map.of(), 200, new RulesetAppliedBody(next.version(), true, warnings(next)));
            case RulesetEditor.Result.Unchanged(Ruleset same) ->
                EditResult.answer(200, new RulesetAppliedBody(same.version(), false, warnings(same)));
            case RulesetEditor.Result.Invalid(List<Issue> issues) ->
                EditResult.answer(422, RulesetRefusedBody.of(issues));
        };
    }

    /** What is stored with it and would be refused if it were new. */
    private static List<Issue> warnings(Ruleset ruleset) {
        var issues = new IssueList();
        TemplateVariables.warn(ruleset, issues);
        return issues.found();
    }
}
