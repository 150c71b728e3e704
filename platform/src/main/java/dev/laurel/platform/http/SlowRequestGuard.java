package dev.laurel.platform.http;

import dev.laurel.platform.http.HttpSettings.RequestTimeouts;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Closes connections whose client takes too long to send a request. The server's idle timeout does not detect them,
 * because a single byte resets it. All connections are checked periodically, so there is no cost per request.
 */
final class SlowRequestGuard implements Connection.Listener, AutoCloseable {

    private enum Phase {
        HANDSHAKE,
        WAITING,
        HEAD,
        BODY
    }

    /**
     * @param requests number of requests begun on the connection
     * @param sinceNs time of the first check that found this state
     */
    private record State(Phase phase, long requests, long sinceNs) {}

    /** The protocol of a session before the handshake ends ({@link SSLEngine#getSession}). */
    private static final String NO_PROTOCOL_YET = "NONE";

    private final RequestTimeouts timeouts;
    private final Map<HttpConnection, State> connections = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("slow-requests").daemon().factory());

    /** Starts checking the connections that these connectors open. */
    SlowRequestGuard(RequestTimeouts timeouts, Connector... connectors) {
        this.timeouts = timeouts;
        for (Connector connector : connectors) {
            connector.addEventListener(this);
        }
        long intervalMs = timeouts.checkInterval().toMillis();
        timer.scheduleWithFixedDelay(this::closeSlowConnections, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.put(http, new State(phaseOf(http), 0, System.nanoTime()));
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.remove(http);
        }
    }

    private void closeSlowConnections() {
        long nowNs = System.nanoTime();
        connections.replaceAll((connection, before) -> {
            Phase phase = phaseOf(connection);
            long requests = connection.getMessagesIn();
            boolean isSame = phase == before.phase() && requests == before.requests();
            return isSame ? before : new State(phase, requests, nowNs);
        });
        connections.forEach((connection, state) -> {
            if (isTooSlow(state, nowNs)) {
                connection.getEndPoint().close();
            }
        });
    }

    private boolean isTooSlow(State state, long nowNs) {
        long forNs = nowNs - state.sinceNs();
        return switch (state.phase()) {
            case WAITING -> false; // the idle timeout ends these
            case HANDSHAKE, HEAD -> forNs > timeouts.head().toNanos();
            case BODY -> forNs > timeouts.body().toNanos();
        };
    }

    private static Phase phaseOf(HttpConnection connection) {
        if (connection.getEndPoint() instanceof SslConnection.SslEndPoint endPoint
                && endPoint.getSslConnection()
                        .getSSLEngine()
                        .getSession()
                        .getProtocol()
                        .equals(NO_PROTOCOL_YET)) {
            return Phase.HANDSHAKE;
        }
        HttpParser parser = connection.getParser();
        if (parser.inContentState()) {
            return Phase.BODY;
        }
        return parser.inHeaderState() && !parser.isStart() ? Phase.HEAD : Phase.WAITING;
    }
}
