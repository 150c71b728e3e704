package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.Hmac;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.ruleset.edit.TemplateVariables;
import dev.laurel.schemas.wire.EditBody.CreatedBody;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.KeyBody.SecretBody;
import dev.laurel.schemas.wire.ObjectBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetRefusedBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Applies an {@link Edit} to the newest ruleset, or to keys and tenants. Pure: equal arguments give equal results. */
public final class Editor {

    private Editor() {}

    /**
     * Applies an edit of keys or tenants.
     *
     * @param current the present records; not changed
     * @param tenant tenant of the edit
     * @param now time of the edit
     * @param hasData whether there are rules without a tenant
     */
    public static EditResult apply(
            AccessIndex current, TenantId tenant, AccessEdit edit, Instant now, boolean hasData) {
        return new AccessEditor(current, new PendingAccess(current), tenant, now, hasData).apply(edit);
    }

    /**
     * @param access the present secrets, needed only for an {@link Edit.Patch}
     * @param now time of the edit
     * @param entropy 32 random bytes for new secrets
     */
    public static EditResult apply(
            Ruleset current, AccessIndex access, Edit.OfRuleset edit, Instant now, byte[] entropy) {
        EditResult result = switch (edit) {
            case Edit.Replace(RulesetSource source, Long base) ->
                ifBasedOn(base, current, () -> RulesetEditor.apply(current, source, now));
            case Edit.Rollback(Ruleset to, Long base) ->
                ifBasedOn(base, current, () -> RulesetEditor.restore(current, to, now));
            case Edit.OfObjects objects -> BulkEditor.apply(current, objects, now);
            case Edit.Patch patch ->
                withUnsubscribeKey(
                        current.tenant(), access, SettingsEditor.patch(current, access, patch, now), entropy);
            case Edit.RotateSecret(UUID webhook) -> rotate(current, webhook, entropy);
        };
        return withSecrets(current, result, entropy);
    }

    private static EditResult ifBasedOn(@Nullable Long base, Ruleset current, Supplier<Result> edit) {
        return base == null || base == current.version()
                ? answer(edit.get())
                : EditResult.answer(
                        422,
                        new ErrorBody("The ruleset has changed since version " + base + ": it is at "
                                + current.version() + " now. Fetch it, make your change again, and apply that."));
    }

    private static EditResult answer(Result result) {
        return switch (result) {
            case Result.Changed(Ruleset next) ->
                new EditResult(next, Map.of(), 200, new RulesetAppliedBody(next.version(), true, warnings(next)));
            case Result.Unchanged(Ruleset same) ->
                EditResult.answer(200, new RulesetAppliedBody(same.version(), false, warnings(same)));
            case Result.Invalid(List<Issue> issues) -> EditResult.answer(422, RulesetRefusedBody.of(issues));
        };
    }

    /** What is stored with it and would be refused if it were new. */
    private static List<Issue> warnings(Ruleset ruleset) {
        var issues = new IssueList();
        TemplateVariables.warn(ruleset, issues);
        return issues.found();
    }

    // The secrets that sign deliveries to webhooks (docs/webhooks.md §1). Each webhook has one, whichever edit created
    // the webhook; it is
    // deleted with the webhook. The same random bytes give the same secrets.

    /** Adds the secrets of new webhooks to the result of an edit, and deletes those of removed webhooks. */
    private static EditResult withSecrets(Ruleset before, EditResult result, byte[] entropy) {
        Ruleset next = result.ruleset();
        if (next == null) {
            return result;
        }
        Set<UUID> removed = before.webhooks().stream().map(Webhook::id).collect(Collectors.toSet());
        var created = new LinkedHashMap<UUID, String>();
        for (Webhook webhook : next.webhooks()) {
            if (!removed.remove(webhook.id())) {
                created.put(webhook.id(), secretOf(webhook.id(), entropy));
            }
        }
        if (removed.isEmpty() && created.isEmpty()) {
            return result;
        }
        var changes = new LinkedHashMap<String, @Nullable AccessRecord>(result.access());
        TenantId tenant = before.tenant();
        removed.forEach(id -> changes.put(Secret.recordKey(tenant, id.toString(), Secret.SIGNING), null));
        created.forEach((id, secret) -> {
            Secret record = new Secret(tenant, id.toString(), Secret.SIGNING, secret);
            changes.put(record.recordKey(), record);
        });
        return new EditResult(next, changes, result.status(), shown(result.body(), created));
    }

    /** Adds its secret to the body of each created webhook. */
    private static Object shown(Object body, Map<UUID, String> secrets) {
        if (!(body instanceof CreatedBody(List<?> bodies, var issues))) {
            return body;
        }
        var items = new ArrayList<Object>();
        for (Object item : bodies) {
            items.add(
                    item instanceof ObjectBody webhook && secrets.containsKey(webhook.id())
                            ? webhook.with("secret", secrets.get(webhook.id()))
                            : item);
        }
        return new CreatedBody(items, issues);
    }

    private static EditResult rotate(Ruleset current, UUID webhook, byte[] entropy) {
        if (current.webhooks().stream().noneMatch(w -> w.id().equals(webhook))) {
            return EditResult.answer(404, new ErrorBody(ObjectKind.WEBHOOK.label() + " not found by ID"));
        }
        Secret record = new Secret(current.tenant(), webhook.toString(), Secret.SIGNING, secretOf(webhook, entropy));
        return new EditResult(null, Map.of(record.recordKey(), record), 200, new SecretBody(record.value()));
    }

    private static String secretOf(UUID webhook, byte[] entropy) {
        return "whsec_" + HexFormat.of().formatHex(Hmac.sha256(entropy, webhook.toString()));
    }

    // The keys that authenticate unsubscribe links (EmailToken). A tenant gets its key together with the credentials of
    // its mail server,
    // so before its first email, and keeps it forever, because links in old emails must work.

    /** Adds a key to the result of an edit if the tenant needs one. */
    private static EditResult withUnsubscribeKey(
            TenantId tenant, AccessIndex before, EditResult result, byte[] entropy) {
        boolean hasServer =
                result.access().get(Secret.recordKey(tenant, Secret.CHANNELS, Secret.SMTP_URL)) instanceof Secret
                        || before.secret(tenant, Secret.CHANNELS, Secret.SMTP_URL) != null;
        if (!hasServer || before.secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE) != null) {
            return result;
        }
        var changes = new LinkedHashMap<String, @Nullable AccessRecord>(result.access());
        String value = HexFormat.of().formatHex(Hmac.sha256(entropy, "unsubscribe"));
        Secret key = new Secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE, value);
        changes.put(key.recordKey(), key);
        return new EditResult(result.ruleset(), changes, result.status(), result.body());
    }
}
