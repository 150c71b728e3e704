package dev.laurel.deploy.roles;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.platform.command.CommandFailed;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of delivery, in a process of its own or in a standalone. */
final class DeliveryOptions {

    @Option(
            names = "--allow-private-webhooks",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            description =
                    "Webhooks and mail servers may be at private, loopback and link-local addresses (default: only in"
                            + " a standalone whose --host is a loopback address).")
    private @Nullable Boolean allowPrivateWebhooks;

    @Option(
            names = "--stale-after",
            paramLabel = "DURATION",
            defaultValue = "PT24H",
            description =
                    "Do not send webhooks and messages for events older than this, such as imported ones (default:"
                            + " ${DEFAULT-VALUE}).")
    private Duration staleAfter;

    @Option(
            names = "--public-url",
            paramLabel = "URL",
            description =
                    "URL under which browsers reach this instance, for links in emails; without one, emails are not"
                            + " sent (default: none; for a standalone http://HOST:PORT, unless HOST stands for all"
                            + " addresses).")
    private @Nullable URI publicUrl;

    @Option(
            names = "--max-webhook-connections",
            paramLabel = "N",
            defaultValue = "1024",
            description =
                    "Connections to webhooks, of all processes of the instance together; each needs the same value"
                            + " (default: ${DEFAULT-VALUE}).")
    private int maxWebhookConnections;

    @Option(
            names = "--max-connections-per-webhook",
            paramLabel = "N",
            defaultValue = "32",
            description =
                    "Connections to one webhook, of all processes of the instance together; each needs the same value"
                            + " (default: ${DEFAULT-VALUE}).")
    private int maxConnectionsPerWebhook;

    /**
     * Returns settings of {@link DeliveryConfig} for the options that were given.
     *
     * @throws CommandFailed if a value is out of range
     */
    Map<String, Object> settings() {
        var settings = new HashMap<String, Object>();
        if (staleAfter.compareTo(Duration.ofMillis(1)) < 0 || staleAfter.compareTo(DeliveryConfig.LOG_KEPT) > 0) {
            throw new CommandFailed("--stale-after must be positive and at most 7 days, like PT24H");
        }
        settings.put(DeliveryConfig.STALE_AFTER_MS, staleAfter.toMillis());
        CommandFailed.expectRange("--max-webhook-connections", maxWebhookConnections, 1, 100_000);
        CommandFailed.expectRange("--max-connections-per-webhook", maxConnectionsPerWebhook, 1, 10_000);
        settings.put(DeliveryConfig.MAX_WEBHOOK_CONNECTIONS, maxWebhookConnections);
        settings.put(DeliveryConfig.MAX_CONNECTIONS_PER_WEBHOOK, maxConnectionsPerWebhook);
        if (allowPrivateWebhooks != null) {
            settings.put(DeliveryConfig.ALLOW_PRIVATE_WEBHOOKS, allowPrivateWebhooks);
        }
        if (publicUrl != null) {
            settings.put(DeliveryConfig.PUBLIC_URL, checkedUrl(publicUrl));
        }
        return settings;
    }

    private static String checkedUrl(URI url) {
        if (!AdminApiClient.isHttp(url) || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new CommandFailed("--public-url must be an absolute http or https URL without query, like "
                    + "https://laurel.example.com");
        }
        return url.toString();
    }
}
