package dev.laurel.deploy.roles;

import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.platform.command.CommandFailed;
import java.net.URI;
import java.time.Duration;
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
     * Returns what is to be sent.
     *
     * @param usuallyAllowsPrivate whether private addresses are allowed if the options do not say
     * @param usualUrl public URL if the options have none
     * @throws CommandFailed if a value is out of range
     */
    DeliveryConfig.Sending sending(boolean usuallyAllowsPrivate, String usualUrl) {
        if (staleAfter.compareTo(Duration.ofMillis(1)) < 0 || staleAfter.compareTo(DeliveryConfig.LOG_KEPT) > 0) {
            throw new CommandFailed("--stale-after must be positive and at most 7 days, like PT24H");
        }
        CommandFailed.expectRange("--max-webhook-connections", maxWebhookConnections, 1, 100_000);
        CommandFailed.expectRange("--max-connections-per-webhook", maxConnectionsPerWebhook, 1, 10_000);
        return new DeliveryConfig.Sending(
                staleAfter,
                allowPrivateWebhooks == null ? usuallyAllowsPrivate : allowPrivateWebhooks,
                publicUrl == null ? usualUrl : checkedUrl(publicUrl),
                new InFlightLimits(maxWebhookConnections, maxConnectionsPerWebhook));
    }

    private static String checkedUrl(URI url) {
        if (!AdminApiClient.isHttp(url) || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new CommandFailed("--public-url must be an absolute http or https URL without query, like "
                    + "https://laurel.example.com");
        }
        return url.toString();
    }
}
