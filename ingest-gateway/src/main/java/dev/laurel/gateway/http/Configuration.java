package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestResult;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.Caller.AuditNote;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest rulesets and sends edits to the ruleset writer. A ruleset that it reads contains every edit that any gateway has
 * answered. An edit is answered once this gateway knows the change, so that the client's next request is checked against it.
 * Thread-safe.
 *
 * @param timeout limit on the wait for newer versions
 */
record Configuration(RequestReplyClient client, Rulesets rulesets, AccessView access, Duration timeout) {

    private static final String SETTINGS = "settings";
    /** The kind of application keys in audit records. */
    static final String APPLICATION_KEY = "application key";

    private static final String ADMIN_KEY = "admin key";

    /** The lists of what was done in replies to edits of several objects. */
    private static final List<String> DONE = List.of("created", "updated", "deleted");

    /** @throws HttpRefusal 503 if the newest version is not known in time */
    Ruleset newest(TenantId tenant) {
        if (!isOver(() -> rulesets.awaitNewest(timeout))) {
            throw HttpRefusal.busy("The rulesets cannot be followed now. Nothing was stored; try again.");
        }
        return rulesets.newest(tenant);
    }

    /** Returns null if the version does not exist. @throws HttpRefusal like {@link #newest} */
    @Nullable
    Ruleset version(TenantId tenant, long version) {
        return version > newest(tenant).version() ? null : rulesets.version(tenant, version);
    }

    /** Sends the edit and writes its result to the response. */
    void edit(Context context, Edit edit) {
        HttpReplies.write(context, edit(Caller.of(context), edit));
    }

    RequestResult edit(Caller caller, Edit edit) {
        RequestResult result = edit instanceof AccessEdit.OfInstance ofInstance
                ? client.ask(ofInstance, caller.author())
                : client.ask(caller.tenant(), edit, caller.author());
        if (result instanceof RequestResult.Pending) {
            caller.audit().unknown();
        }
        if (!(result instanceof RequestResult.Replied reply && reply.isSuccess())) {
            return result;
        }
        note(caller.audit(), edit, reply);
        return isKnownHere(edit) ? result : RequestResult.PENDING;
    }

    /** Notes what the edit has changed. The reply of the writer names the objects; it has neither keys nor secrets. */
    private static void note(AuditNote audit, Edit edit, RequestResult.Replied reply) {
        Versions versions = reply.versions();
        if (versions != null) {
            audit.ruleset(versions);
        }
        boolean isChanged = versions == null || versions.before() != versions.after();
        switch (edit) {
            case Edit.Create(ObjectKind kind, var _, var _) -> noteAll(audit, kind, reply);
            case Edit.Update(ObjectKind kind, var _, var _) -> noteAll(audit, kind, reply);
            case Edit.Delete(ObjectKind kind, var _, var _) -> noteAll(audit, kind, reply);
            case Edit.Replace _, Edit.Rollback _ -> {
                if (isChanged) {
                    audit.changed("ruleset", null, null);
                }
            }
            case Edit.Patch(SettingsKind kind, var _) ->
                audit.changed(
                        switch (kind) {
                            case ACCOUNT -> SETTINGS;
                            case STREAK -> "streak settings";
                            case NOTIFICATIONS -> "notification settings";
                            case CHANNELS -> "channels";
                        },
                        null,
                        null);
            case Edit.RotateSecret(UUID webhook) -> audit.changed(nameOf(ObjectKind.WEBHOOK), webhook.toString(), null);
            case AccessEdit.CreateAdminKeys _, AccessEdit.UpdateAdminKeys _, AccessEdit.DeleteAdminKeys _ ->
                noteAll(audit, ADMIN_KEY, reply, "name");
            case AccessEdit.RotateAdminKey(UUID id, var _, var _) -> audit.changed(ADMIN_KEY, id.toString(), null);
            case AccessEdit.RegisterStartKey _ -> {
                // Not a request of the admin API.
            }
            case AccessEdit.DeleteApplicationKeys _ -> noteAll(audit, APPLICATION_KEY, reply, "userId");
            case AccessEdit.CreateTenants _, AccessEdit.UpdateTenants _, AccessEdit.DeleteTenants _ ->
                noteAll(audit, "tenant", reply, "customerId");
            case AccessEdit.SetMultiTenancy _ -> audit.changed(SETTINGS, null, null);
        }
    }

    private static void noteAll(AuditNote audit, ObjectKind kind, RequestResult.Replied reply) {
        noteAll(audit, nameOf(kind), reply, "key", "name");
    }

    private static String nameOf(ObjectKind kind) {
        return kind.label().toLowerCase(Locale.ROOT);
    }

    /** @param names fields that name an object, the first that it has */
    private static void noteAll(AuditNote audit, String kind, RequestResult.Replied reply, String... names) {
        if (!(Json.readTree(reply.body()) instanceof Map<?, ?> body)) {
            return;
        }
        for (String list : DONE) {
            if (body.get(list) instanceof List<?> objects) {
                objects.forEach(object -> {
                    if (object instanceof Map<?, ?> fields) {
                        audit.changed(kind, textOf(fields, "id"), textOf(fields, names));
                    }
                });
            }
        }
    }

    private static @Nullable String textOf(Map<?, ?> fields, String... names) {
        return Arrays.stream(names)
                .map(fields::get)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst()
                .orElse(null);
    }

    private boolean isKnownHere(Edit edit) {
        return isOver(() -> switch (edit) {
            // Secrets of webhooks and channels are written beside the ruleset.
            case Edit.OfRuleset _ -> rulesets.awaitNewest(timeout) && access.awaitNewest(timeout);
            case AccessEdit _ -> access.awaitNewest(timeout);
        });
    }

    private interface Wait {

        boolean isOver() throws InterruptedException;
    }

    /** Returns false after an interrupt, too. */
    private static boolean isOver(Wait wait) {
        try {
            return wait.isOver();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
