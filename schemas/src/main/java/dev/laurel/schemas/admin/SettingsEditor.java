package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.admin.IssueMessages.ObjectPath;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Notifications.RecapPeriod;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.wire.ErrorBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Changes settings of which the admin API has one object each (docs/admin-api.md part B). Pure. */
final class SettingsEditor {

    private static final List<String> AGGREGATION_PERIODS = List.of("weekly", "monthly");
    private static final List<String> RECAP_PERIODS = List.of("daily", "weekly", "monthly", "yearly");

    private SettingsEditor() {}

    /** Merges the given fields; changes nothing if one of them is invalid. */
    static EditResult patch(Ruleset current, AccessIndex before, Edit.Patch edit, Instant now) {
        PendingEdit draft = PendingEdit.of(current, now);
        FieldMap unchanged = draft.content;
        var access = new PendingAccess(before);
        try {
            patch(draft, before, access, edit.kind(), RequestFields.of(edit.fields()));
        } catch (BadInputException e) {
            return EditResult.answer(422, new ErrorBody(e.refusal().message()));
        }
        if (draft.content.equals(unchanged)) { // without a change there is no version, not even a first one
            return result(edit.kind(), null, current, access);
        }
        return switch (RulesetEditor.apply(current, draft.source(), draft.origins, now)) {
            case Result.Changed(Ruleset next) -> result(edit.kind(), next, next, access);
            case Result.Unchanged(Ruleset same) -> result(edit.kind(), null, same, access);
            case Result.Invalid(List<Issue> found) ->
                EditResult.answer(
                        422,
                        new ErrorBody(IssueMessages.of(
                                found,
                                List.of(new ObjectPath(
                                        edit.kind().section(),
                                        "",
                                        edit.kind().description().adminNames())))));
        };
    }

    private static EditResult result(
            SettingsKind kind, @Nullable Ruleset changed, Ruleset shown, PendingAccess access) {
        return new EditResult(changed, access.changes(), 200, ObjectBodies.settings(kind, shown, access));
    }

    private static void patch(
            PendingEdit draft, AccessIndex current, PendingAccess access, SettingsKind settings, RequestFields item)
            throws BadInputException {
        switch (settings) {
            case ACCOUNT -> {
                if (item.isNull("branding")) { // most objects count as absent then
                    throw item.bad("branding", "must be an object");
                }
                merge(draft, List.of(), settings, item);
                aggregate(draft, item);
                // This is a setting of the whole instance, not of a ruleset.
                new AccessEditor(current, access, draft.base.tenant(), draft.now, draft.base.version() > 0)
                        .setMultiTenancy(item.bool("multiTenancyEnabled"), item.object("firstTenant"));
            }
            case STREAK -> {
                FieldMap before = draft.content.at(settings.section());
                boolean losesDaysOff = item.has("frequency") && !"daily".equals(item.text("frequency"));
                if (losesDaysOff && before.has("daysOff")) {
                    draft.put(settings.section(), before.with("daysOff", null));
                }
                RequestFields own = StreakSettingsForms.toOwn(
                        item, draft.content.part("metrics").objects(), draft.base.streak());
                merge(draft, List.of(), settings, own);
            }
            case NOTIFICATIONS -> merge(draft, List.of(), settings, item);
            case CHANNELS -> {
                RequestFields email = item.object("email");
                if (email != null) {
                    merge(draft, List.of("email"), settings, email);
                }
                ChannelSecrets.patch(access, draft.base.tenant(), item);
            }
        }
    }

    /** Sets the period of recaps. The word of the public form that is already shown for the period leaves it as it is. */
    private static void aggregate(PendingEdit draft, RequestFields item) throws BadInputException {
        String word = item.word("aggregationPeriod", AGGREGATION_PERIODS);
        String exact = item.word("recapPeriod", RECAP_PERIODS);
        if (word != null && exact != null && !word.equals(exact) && !word.equals(shown(exact))) {
            throw item.bad(
                    "recapPeriod",
                    "is " + exact + ", but aggregationPeriod is " + word + ": both name the same setting");
        }
        String now = IssueList.word(draft.base.notifications().timing().recapPeriod());
        String period = exact != null ? exact : shown(now).equals(word) ? null : word;
        if (period != null && !period.equals(now)) {
            var path = new ArrayList<>(SettingsKind.NOTIFICATIONS.section());
            path.add("recapPeriod");
            draft.put(path, period);
        }
    }

    private static String shown(String recapPeriod) {
        return IssueList.word(
                RecapPeriod.valueOf(recapPeriod.toUpperCase(Locale.ROOT)).aggregation());
    }

    /** @param below path from the settings to the part that the request changes */
    private static void merge(PendingEdit draft, List<String> below, SettingsKind settings, RequestFields item)
            throws BadInputException {
        var path = new ArrayList<>(settings.section());
        path.addAll(below);
        FieldMap next = new DraftPatcher(draft).patch(settings.description(), item, draft.content.at(path));
        boolean isDefault = next.values().values().stream().allMatch(FieldMap.EMPTY::equals);
        draft.put(isDefault ? settings.section() : path, isDefault ? null : next);
    }
}
