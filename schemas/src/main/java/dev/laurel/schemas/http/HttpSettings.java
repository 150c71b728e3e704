package dev.laurel.schemas.http;

import dev.laurel.schemas.access.PeerKey;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.trace.Tracing;
import java.util.Locale;

/**
 * How a server serves.
 *
 * @param adminHost requests for this host name get the admin API at {@code /v1} (sdk-notes.md §1); null: there is no such name
 * @param limits how many requests a tenant may make
 * @param slowClients how long a client may take to send a request
 * @param tls what it shows to clients, which then have to speak TLS; null: it speaks plain HTTP
 * @param peerKey by which other processes of the deployment call this one; null: there are none
 * @param tracing follows requests
 * @param metrics get the requests, and are shown at {@code /metrics}
 */
public record HttpSettings(HttpServer.Address address, String adminHost, RequestLimits limits,
        SlowClients.Patience slowClients, TlsFiles tls, PeerKey peerKey, Tracing tracing,
        Metrics metrics) {

    public HttpSettings {
        adminHost = adminHost == null || adminHost.isEmpty() ? null : adminHost.toLowerCase(Locale.ROOT);
    }

    /**
     * Without TLS, without a name for the admin API, without limits on the number of requests, and without tracing;
     * with metrics of its own.
     */
    public static HttpSettings at(HttpServer.Address address) {
        return new HttpSettings(address, null, RequestLimits.NONE, SlowClients.Patience.USUAL, null, null,
                Tracing.NONE, new Metrics());
    }

    public HttpSettings withAdminHost(String name) {
        return new HttpSettings(address, name, limits, slowClients, tls, peerKey, tracing, metrics);
    }

    public HttpSettings withLimits(RequestLimits given) {
        return new HttpSettings(address, adminHost, given, slowClients, tls, peerKey, tracing, metrics);
    }

    public HttpSettings withPatience(SlowClients.Patience patience) {
        return new HttpSettings(address, adminHost, limits, patience, tls, peerKey, tracing, metrics);
    }

    /** @param files null: plain HTTP */
    public HttpSettings withTls(TlsFiles files) {
        return new HttpSettings(address, adminHost, limits, slowClients, files, peerKey, tracing, metrics);
    }

    public HttpSettings withPeerKey(PeerKey key) {
        return new HttpSettings(address, adminHost, limits, slowClients, tls, key, tracing, metrics);
    }

    public HttpSettings withTracing(Tracing given) {
        return new HttpSettings(address, adminHost, limits, slowClients, tls, peerKey, given, metrics);
    }

    public HttpSettings withMetrics(Metrics ofProcess) {
        return new HttpSettings(address, adminHost, limits, slowClients, tls, peerKey, tracing, ofProcess);
    }
}
