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

/**
 * The secrets that sign what webhooks are sent (docs/webhooks.md §1). Every webhook has one, however it came into the ruleset, and
 * takes it along when it goes. Pure: the same random bytes give the same secrets.
 */
final class WebhookSecrets {

    private static final String PREFIX = "whsec_";

    private WebhookSecrets() {}

    /** The result with the secrets of webhooks that are new in it, and without those of the ones that are gone. */
    static EditResult kept(Ruleset before, EditResult result, byte[] entropy) {
        if (result.ruleset() == null) {
            return result;
        }
        Set<UUID> gone = before.webhooks().stream().map(Webhook::id).collect(Collectors.toSet());
        var fresh = new LinkedHashMap<UUID, String>();
        for (Webhook webhook : result.ruleset().webhooks()) {
            if (!gone.remove(webhook.id())) {
                fresh.put(webhook.id(), secretOf(webhook.id(), entropy));
            }
        }
        if (gone.isEmpty() && fresh.isEmpty()) {
            return result;
        }
        var changes = new LinkedHashMap<String, AccessRecord>(result.access());
        TenantId tenant = before.tenant();
        gone.forEach(id -> changes.put(Secret.recordKey(tenant, id.toString(), Secret.SIGNING), null));
        fresh.forEach((id, secret) -> {
            Secret record = new Secret(tenant, id.toString(), Secret.SIGNING, secret);
            changes.put(record.recordKey(), record);
        });
        return new EditResult(result.ruleset(), changes, result.status(), shown(result.body(), fresh));
    }

    /** Who creates a webhook is told its secret. */
    private static Object shown(Object body, Map<UUID, String> secrets) {
        if (!(body instanceof CreatedBody(List<?> created, var issues))) {
            return body;
        }
        var items = new ArrayList<Object>();
        for (Object item : created) {
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
