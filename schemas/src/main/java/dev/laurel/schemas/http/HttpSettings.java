package dev.laurel.schemas.http;

import dev.laurel.schemas.trace.Tracing;
import java.util.Locale;

/**
 * How a server serves.
 *
 * @param adminHost requests for this host name get the admin API at {@code /v1} (sdk-notes.md §1); null: there is no such name
 * @param limits how many requests a tenant may make
 * @param slowClients how long a client may take to send a request
 * @param tls what it shows to clients, which then have to speak TLS; null: it speaks plain HTTP
 * @param tracing follows requests
 */
public record HttpSettings(HttpServer.Address address, String adminHost, RequestLimits limits,
        SlowClients.Patience slowClients, TlsFiles tls, Tracing tracing) {

    public HttpSettings {
        adminHost = adminHost == null || adminHost.isEmpty() ? null : adminHost.toLowerCase(Locale.ROOT);
    }

    /** Without TLS, without a name for the admin API, without limits on the number of requests, and without tracing. */
    public static HttpSettings at(HttpServer.Address address) {
        return new HttpSettings(address, null, RequestLimits.NONE, SlowClients.Patience.USUAL, null, Tracing.NONE);
    }

    public HttpSettings withAdminHost(String name) {
        return new HttpSettings(address, name, limits, slowClients, tls, tracing);
    }

    public HttpSettings withLimits(RequestLimits given) {
        return new HttpSettings(address, adminHost, given, slowClients, tls, tracing);
    }

    public HttpSettings withPatience(SlowClients.Patience patience) {
        return new HttpSettings(address, adminHost, limits, patience, tls, tracing);
    }

    /** @param files null: plain HTTP */
    public HttpSettings withTls(TlsFiles files) {
        return new HttpSettings(address, adminHost, limits, slowClients, files, tracing);
    }

    public HttpSettings withTracing(Tracing given) {
        return new HttpSettings(address, adminHost, limits, slowClients, tls, given);
    }
}
