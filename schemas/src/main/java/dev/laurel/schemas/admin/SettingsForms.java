package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.ruleset.RulesetIssue;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.wire.ErrorBody;
import java.time.Instant;
import java.util.List;

/** The singletons of the admin API: what it shows of them and how it changes them (admin-api.md part B). Thread-safe. */
public final class SettingsForms {

    private static final AccountForm ACCOUNT = new AccountForm();
    private static final StreakForm STREAK = new StreakForm();
    private static final NotificationsForm NOTIFICATIONS = new NotificationsForm();
    private static final ChannelsForm CHANNELS = new ChannelsForm();

    private SettingsForms() {}

    private static SettingsForm of(SettingsKind kind) {
        return switch (kind) {
            case NOTIFICATIONS -> NOTIFICATIONS;
            case CHANNELS -> CHANNELS;
            case ACCOUNT -> ACCOUNT;
            case STREAK -> STREAK;
        };
    }

    /** What GET answers. */
    public static Object body(SettingsKind kind, Ruleset ruleset, AccessBook access) {
        return of(kind).body(ruleset, new AccessDraft(access));
    }

    /** Merges, or changes nothing at all if any field is bad: the first one is named. */
    static EditResult patch(Ruleset current, AccessBook before, Edit.Patch edit, Instant now) {
        SettingsForm form = of(edit.kind());
        SourceDraft draft = SourceDraft.of(current, now);
        RulesetSource unchanged = draft.toSource();
        var access = new AccessDraft(before);
        try {
            form.patch(draft, access, Item.of(edit.fields()));
        } catch (BadInputException e) {
            return EditResult.answer(422, new ErrorBody(e.refusal().message()));
        }
        RulesetSource after = draft.toSource();
        if (after.equals(unchanged)) { // the first version is not made of nothing
            return new EditResult(null, access.changes(), 200, form.body(current, access));
        }
        return switch (RulesetEditor.apply(current, after, draft.origins, now)) {
            case RulesetEditor.Result.Changed(Ruleset next) ->
                new EditResult(next, access.changes(), 200, form.body(next, access));
            case RulesetEditor.Result.Unchanged(Ruleset same) ->
                new EditResult(null, access.changes(), 200, form.body(same, access));
            case RulesetEditor.Result.Invalid(List<RulesetIssue> found) -> EditResult.answer(422,
                    new ErrorBody(IssueWords.of(found, List.of(new Place(form.place(), "", form.fieldNames())))));
        };
    }
}
