package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.ruleset.RulesetIssue;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.wire.ErrorBody;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The singletons of the admin API: what it shows of them and how it changes them (admin-api.md part B). Thread-safe. */
public final class SettingsForms {

    private static final AccountForm ACCOUNT = new AccountForm();
    private static final StreakForm STREAK = new StreakForm();

    private SettingsForms() {}

    private static SettingsForm of(SettingsKind kind) {
        return switch (kind) {
            case ACCOUNT -> ACCOUNT;
            case STREAK -> STREAK;
            case NOTIFICATIONS, CHANNELS -> throw new UnsupportedOperationException(kind + " comes next");
        };
    }

    public static Object body(SettingsKind kind, Ruleset ruleset) {
        return of(kind).body(ruleset);
    }

    /** Merges the fields; one bad field, and nothing is changed. */
    static EditResult patch(Ruleset current, Edit.Patch patch, Instant now) {
        SettingsForm form = of(patch.kind());
        SourceDraft draft = SourceDraft.of(current, now);
        RulesetSource before = draft.toSource();
        try {
            form.patch(draft, Item.of(patch.fields()));
        } catch (BadInputException e) {
            return EditResult.answer(422, new ErrorBody(e.refusal().message()));
        }
        RulesetSource after = draft.toSource();
        if (after.equals(before)) {
            return EditResult.answer(200, form.body(current)); // the first version is not made of nothing
        }
        return switch (RulesetEditor.apply(current, after, draft.origins, now)) {
            case RulesetEditor.Result.Changed(Ruleset next) -> new EditResult(next, 200, form.body(next));
            case RulesetEditor.Result.Unchanged(Ruleset same) -> EditResult.answer(200, form.body(same));
            case RulesetEditor.Result.Invalid(List<RulesetIssue> issues) -> EditResult.answer(422,
                    new ErrorBody(IssueWords.of(issues, List.of(new Place(form.place(), "", Map.of())))));
        };
    }
}
