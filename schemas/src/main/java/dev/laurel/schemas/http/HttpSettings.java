package dev.laurel.schemas.http;

import dev.laurel.schemas.metrics.Metrics;
import java.util.Locale;

/**
 * How a server serves.
 *
 * @param adminHost requests for this host name get the admin API at {@code /v1} (sdk-notes.md §1); null: there is no such name
 * @param limits how many requests a tenant may make
 * @param slowClients how long a client may take to send a request
 * @param metrics get the requests, and are shown at {@code /metrics}
 */
public record HttpSettings(HttpServer.Address address, String adminHost, RequestLimits limits,
        SlowClients.Patience slowClients, Metrics metrics) {

    public HttpSettings {
        adminHost = adminHost == null || adminHost.isEmpty() ? null : adminHost.toLowerCase(Locale.ROOT);
    }

    /** Without a name for the admin API, without limits on the number of requests, and with metrics of its own. */
    public static HttpSettings at(HttpServer.Address address) {
        return new HttpSettings(address, null, RequestLimits.NONE, SlowClients.Patience.USUAL, new Metrics());
    }

    public HttpSettings withAdminHost(String name) {
        return new HttpSettings(address, name, limits, slowClients, metrics);
    }

    public HttpSettings withLimits(RequestLimits given) {
        return new HttpSettings(address, adminHost, given, slowClients, metrics);
    }

    public HttpSettings withPatience(SlowClients.Patience patience) {
        return new HttpSettings(address, adminHost, limits, patience, metrics);
    }

    public HttpSettings withMetrics(Metrics ofProcess) {
        return new HttpSettings(address, adminHost, limits, slowClients, ofProcess);
    }
}
