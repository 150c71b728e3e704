package dev.laurel.delivery.webhook;

import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Webhook;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the URLs and secrets of webhooks in the newest settings: a change takes effect with the next attempt. Blocks on virtual
 * threads; thread-safe.
 */
final class WebhookTargets {

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final Rulesets rulesets;
    private final AccessView access;

    /** A {@link System#nanoTime}: all settings written before it are known here. Initially a time before any batch. */
    private final AtomicLong knownUntilNs = new AtomicLong(System.nanoTime() - 1);

    /** The result of a look-up: a target, or else the outcome without an attempt. */
    sealed interface Found permits Target, Outcome {}

    /**
     * @param secret not empty
     * @param customerId customer id of the tenant; empty without tenants
     */
    record Target(String url, String secret, String customerId) implements Found {

        /** Without the secret: this may end up in a log. */
        @Override
        public String toString() {
            return url;
        }
    }

    WebhookTargets(Rulesets rulesets, AccessView access) {
        this.rulesets = rulesets;
        this.access = access;
    }

    /**
     * Finds a webhook. The result is {@link Outcome.Dropped} only if all settings that were written before the given time are known
     * here, and {@link Outcome.NoAnswer} if it is unknown at the moment whether the webhook exists.
     *
     * @param readNs a {@link System#nanoTime} after the delivery was read
     */
    Found find(Endpoint endpoint, long readNs) throws InterruptedException {
        boolean wereKnown = knownUntilNs.get() - readNs >= 0; // read before the settings
        Found found = lookUp(endpoint);
        if (found instanceof Target || wereKnown) {
            return found;
        }
        // The process that wrote the delivery may know newer settings than this process.
        long nowNs = System.nanoTime();
        if (!rulesets.awaitNewest(MAX_WAIT) || !access.awaitNewest(MAX_WAIT)) {
            return new Outcome.NoAnswer("the settings of the webhook cannot be read at the moment", 0);
        }
        knownUntilNs.accumulateAndGet(nowNs, (a, b) -> a - b > 0 ? a : b);
        return lookUp(endpoint);
    }

    private Found lookUp(Endpoint endpoint) {
        TenantId tenant = endpoint.tenant();
        String customerId = access.index().customerIdOf(tenant);
        if (!customerId.isEmpty() && access.index().activeTenant(customerId) == null) {
            return new Outcome.Dropped("the tenant is archived");
        }
        Webhook webhook = rulesets.newest(tenant).webhooks().stream()
                .filter(one -> one.id().equals(endpoint.webhook()))
                .findFirst()
                .orElse(null);
        if (webhook == null) {
            return new Outcome.Dropped("the webhook was deleted");
        }
        if (!webhook.active()) {
            return new Outcome.Dropped("the webhook is inactive");
        }
        String secret = access.index().secret(tenant, endpoint.webhook().toString(), Secret.SIGNING);
        return secret == null || secret.isEmpty()
                ? new Outcome.NoAnswer("the webhook has no secret", 0)
                : new Target(webhook.url(), secret, customerId);
    }
}
