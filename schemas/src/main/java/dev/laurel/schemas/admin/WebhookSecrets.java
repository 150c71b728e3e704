package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.Hmac;
import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.wire.EditBody.CreatedBody;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.KeyBody.SecretBody;
import dev.laurel.schemas.wire.ObjectBody;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes the secrets that sign deliveries to webhooks (docs/webhooks.md §1). Each webhook has one, whichever edit
 * created the webhook; it is deleted with the webhook. Pure: the same random bytes give the same secrets.
 */
final class WebhookSecrets {

    private static final String PREFIX = "whsec_";

    private WebhookSecrets() {}

    /** Adds the secrets of new webhooks to the result of an edit, and deletes those of removed webhooks. */
    static EditResult withSecrets(Ruleset before, EditResult result, byte[] entropy) {
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
            items.add(item instanceof ObjectBody webhook && secrets.containsKey(webhook.id())
                    ? webhook.with("secret", secrets.get(webhook.id()))
                    : item);
        }
        return new CreatedBody(items, issues);
    }

    static EditResult rotate(Ruleset current, UUID webhook, byte[] entropy) {
        if (current.webhooks().stream().noneMatch(w -> w.id().equals(webhook))) {
            return EditResult.answer(404, new ErrorBody(ObjectKind.WEBHOOK.label() + " not found by ID"));
        }
        Secret record = new Secret(current.tenant(), webhook.toString(), Secret.SIGNING, secretOf(webhook, entropy));
        return new EditResult(null, Map.of(record.recordKey(), record), 200, new SecretBody(record.value()));
    }

    private static String secretOf(UUID webhook, byte[] entropy) {
        return PREFIX + HexFormat.of().formatHex(Hmac.sha256(entropy, webhook.toString()));
    }
}
