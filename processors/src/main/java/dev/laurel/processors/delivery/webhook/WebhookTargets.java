package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.store.WebhookStore.Endpoint;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Webhook;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds the addresses and secrets of webhooks by the newest ruleset: a change counts from the next attempt on. Blocks on virtual
 * threads; thread-safe.
 */
final class WebhookTargets {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Rulesets rulesets;
    private final AccessView access;
    private final Map<TenantId, Known> known = new ConcurrentHashMap<>();

    /** The webhooks of a tenant by the newest ruleset that was read. */
    private record Known(Ruleset ruleset, Map<UUID, Webhook> webhooks) {}

    /** Everything written until this {@link System#nanoTime} is known here; at first a time before any batch. */
    private final AtomicLong sureNs = new AtomicLong(System.nanoTime() - 1);

    /** The result of a look-up. */
    sealed interface Found {}

    /** @param secret not empty */
    record Target(String url, String secret) implements Found {

        /** Without the secret: this may end up in a log. */
        @Override
        public String toString() {
            return url;
        }
    }

    /** The webhook receives nothing, now and later. */
    record Gone(String reason) implements Found {}

    /** It is not known now whether the webhook exists. */
    record Unclear(String reason) implements Found {}

    WebhookTargets(Rulesets rulesets, AccessView access) {
        this.rulesets = rulesets;
        this.access = access;
    }

    /**
     * Finds a webhook. The result is {@link Gone} only if everything is known here that was written until the given time.
     *
     * @param readNs the {@link System#nanoTime} by which the delivery had been read
     */
    Found find(Endpoint endpoint, long readNs) throws InterruptedException {
        boolean wasSure = isSureSince(readNs); // before the look
        Found found = look(endpoint);
        if (found instanceof Target || wasSure) {
            return found;
        }
        // The process that wrote the delivery may know newer settings than this one.
        long nowNs = System.nanoTime();
        if (!rulesets.awaitNewest(PATIENCE) || !access.awaitNewest(PATIENCE)) {
            return new Unclear("the settings of the webhook cannot be read at the moment");
        }
        sureNs.accumulateAndGet(nowNs, (a, b) -> a - b > 0 ? a : b);
        return look(endpoint);
    }

    private boolean isSureSince(long readNs) {
        return sureNs.get() - readNs >= 0;
    }

    private Found look(Endpoint endpoint) {
        TenantId tenant = endpoint.tenant();
        if (!tenant.equals(TenantId.NONE) && access.index().activeTenant(tenant.value()) == null) {
            return new Gone("the tenant is archived");
        }
        Webhook webhook = webhooksOf(endpoint.tenant()).get(endpoint.webhook());
        if (webhook == null) {
            return new Gone("the webhook was deleted");
        }
        if (!webhook.active()) {
            return new Gone("the webhook is inactive");
        }
        String secret = access.index().secret(endpoint.tenant(), endpoint.webhook().toString(), Secret.SIGNING);
        return secret == null || secret.isEmpty()
                ? new Unclear("the webhook has no secret")
                : new Target(webhook.url(), secret);
    }

    private Map<UUID, Webhook> webhooksOf(TenantId tenant) {
        Ruleset newest = rulesets.newest(tenant);
        Known last = known.get(tenant);
        if (last == null || last.ruleset() != newest) {
            last = new Known(newest,
                    newest.webhooks().stream().collect(Collectors.toUnmodifiableMap(Webhook::id, Function.identity())));
            known.put(tenant, last);
        }
        return last.webhooks();
    }
}
