package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.store.Endpoint;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessView;
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
 * Where webhooks are, and what signs what they are sent, as the newest ruleset says: another address or secret counts from
 * the next attempt on. Blocks on virtual threads; thread-safe.
 */
final class HookTargets {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Rulesets rulesets;
    private final AccessView access;
    private final Map<TenantId, Known> known = new ConcurrentHashMap<>();

    /** The webhooks of the newest ruleset of a tenant, as last seen. */
    private record Known(Ruleset ruleset, Map<UUID, Webhook> webhooks) {}

    /** All that was written until then is known here, as {@link System#nanoTime} has it; at first before any flight. */
    private final AtomicLong sureNs = new AtomicLong(System.nanoTime() - 1);

    /** Whether and where a webhook can be reached. */
    sealed interface Found {}

    /** @param secret not empty */
    record Target(String url, String secret) implements Found {

        /** Without the secret: this may end up in a log. */
        @Override
        public String toString() {
            return url;
        }
    }

    /** It is told nothing, now and later. */
    record Gone(String reason) implements Found {}

    /** That cannot be told now. */
    record Unclear(String reason) implements Found {}

    HookTargets(Rulesets rulesets, AccessView access) {
        this.rulesets = rulesets;
        this.access = access;
    }

    /**
     * Where a webhook is. That it is gone is only said if all is known here that was written until the given time.
     *
     * @param readNs when what is sent had been read, as {@link System#nanoTime} has it
     */
    Found find(Endpoint endpoint, long readNs) throws InterruptedException {
        boolean wasSure = isSureSince(readNs); // before the look
        Found found = look(endpoint);
        if (found instanceof Target || wasSure) {
            return found;
        }
        // What is delivered may have been written by someone who knows newer settings than are known here.
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
        if (!tenant.equals(TenantId.NONE) && access.book().activeTenant(tenant.value()) == null) {
            return new Gone("the tenant is archived");
        }
        Webhook webhook = webhooksOf(endpoint.tenant()).get(endpoint.webhook());
        if (webhook == null) {
            return new Gone("the webhook was deleted");
        }
        if (!webhook.active()) {
            return new Gone("the webhook is inactive");
        }
        String secret = access.book().secret(endpoint.tenant(), endpoint.webhook().toString(), Secret.SIGNING);
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
