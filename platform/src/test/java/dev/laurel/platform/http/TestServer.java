package dev.laurel.platform.http;

import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.http.HttpSettings.Address;
import dev.laurel.platform.http.HttpSettings.AuditLog;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.platform.http.HttpSettings.RequestTimeouts;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of a server in a test. By default: no TLS, no host name for the admin API, no request limits, no tracing, no audit log, and
 * a metrics registry of its own.
 */
public final class TestServer {

    private final Address address;
    private String adminHost;
    private RequestLimits limits = RequestLimits.NONE;
    private RequestTimeouts timeouts = RequestTimeouts.DEFAULT;
    private TlsFiles tls;
    private PeerKey peerKey;
    private Sessions sessions = Sessions.NONE;
    private Tracing tracing = Tracing.NONE;
    private AuditLog audit = AuditLog.NONE;
    private boolean isStrict;

    private TestServer(Address address) {
        this.address = address;
    }

    public static TestServer at(Address address) {
        return new TestServer(address);
    }

    /** Returns a port on which nothing listens, and which no connection takes meanwhile. */
    public static int unusedPort() {
        return unusedPorts(1).getFirst();
    }

    public static List<Integer> unusedPorts(int count) {
        var held = new ArrayList<Address>();
        try {
            while (held.size() < count) {
                held.add(Address.held("127.0.0.1"));
            }
            for (Address address : held) {
                address.held().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return held.stream().map(Address::port).toList();
    }

    /** Starts a server with the default settings. */
    public static HttpServer start(Address address, ApiKeys keys, List<Routes> routes) {
        return start(at(address), keys, routes);
    }

    public static HttpServer start(TestServer of, ApiKeys keys, List<Routes> routes) {
        return new HttpServer(
                new HttpSettings(
                        of.address,
                        of.adminHost,
                        of.limits,
                        of.timeouts,
                        of.tls,
                        of.peerKey,
                        of.sessions,
                        of.tracing,
                        new Metrics(),
                        of.audit,
                        of.isStrict),
                keys,
                routes);
    }

    public TestServer withAdminHost(String name) {
        adminHost = name;
        return this;
    }

    public TestServer withLimits(RequestLimits given) {
        limits = given;
        return this;
    }

    public TestServer withTimeouts(RequestTimeouts given) {
        timeouts = given;
        return this;
    }

    public TestServer withTls(TlsFiles files) {
        tls = files;
        return this;
    }

    public TestServer withPeerKey(PeerKey key) {
        peerKey = key;
        return this;
    }

    public TestServer withSessions(Sessions given) {
        sessions = given;
        return this;
    }

    public TestServer withTracing(Tracing given) {
        tracing = given;
        return this;
    }

    public TestServer withAudit(AuditLog given) {
        audit = given;
        return this;
    }

    public TestServer withStrictness(boolean given) {
        isStrict = given;
        return this;
    }
}
