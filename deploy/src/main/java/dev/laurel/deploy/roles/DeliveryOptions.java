package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.processors.DeliveryConfig;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** What delivery may do and what it says, for whatever process it runs in. */
public final class DeliveryOptions {

    @Option(names = "--allow-private-webhooks", paramLabel = "true|false", arity = "0..1", fallbackValue = "true", description = "Webhooks and mail servers may be at private, loopback and link-local addresses (default: only in a standalone whose --host is a loopback address).")
    private Boolean allowPrivateWebhooks;

    @Option(names = "--stale-after", paramLabel = "DURATION", defaultValue = "PT24H", description = "What happened longer ago than this is told nobody, so that imports are silent (default: ${DEFAULT-VALUE}).")
    private Duration staleAfter;

    @Option(names = "--public-url", paramLabel = "URL", description = "Where users' browsers reach this instance, for links in emails (default: none; of a standalone http://HOST:PORT, if HOST does not stand for all addresses).")
    private URI publicUrl;

    /** As {@link DeliveryConfig} takes them; what was not given is not there. @throws CommandFailed if one makes no sense */
    public Map<String, Object> settings() {
        var settings = new HashMap<String, Object>();
        if (staleAfter.compareTo(Duration.ofMillis(1)) < 0 || staleAfter.compareTo(DeliveryConfig.LOG_KEPT) > 0) {
            throw new CommandFailed("--stale-after: must be longer than nothing and at most 7 days, like PT24H");
        }
        settings.put(DeliveryConfig.STALE_AFTER_MS, staleAfter.toMillis());
        if (allowPrivateWebhooks != null) {
            settings.put(DeliveryConfig.ALLOW_PRIVATE_WEBHOOKS, allowPrivateWebhooks);
        }
        if (publicUrl != null) {
            settings.put(DeliveryConfig.PUBLIC_URL, checkedUrl(publicUrl));
        }
        return settings;
    }

    private static String checkedUrl(URI url) {
        boolean isWeb = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!isWeb || url.getHost() == null || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new CommandFailed("--public-url: must be an absolute http or https URL without query, like "
                    + "https://laurel.example.com");
        }
        return url.toString();
    }
}
