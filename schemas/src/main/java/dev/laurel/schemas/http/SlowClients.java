package dev.laurel.schemas.http;

import java.time.Duration;
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
 * Closes connections whose client takes too long to send a request. The server's idle timeout does not see them: a byte now and
 * then keeps a connection busy for ever. Looks at all connections from time to time, so that a request costs nothing.
 */
public final class SlowClients implements Connection.Listener, AutoCloseable {

    /**
     * How long it may take.
     *
     * @param head from the first byte of a request to the end of its headers; likewise to agree on TLS
     * @param body from there to the end of its body
     * @param look how often connections are looked at
     */
    public record Patience(Duration head, Duration body, Duration look) {

        /** A body of 10 MiB fits through a line of one megabit per second. */
        public static final Patience USUAL = new Patience(Duration.ofSeconds(20), Duration.ofSeconds(120),
                Duration.ofSeconds(5));
    }

    private enum Phase {
        HANDSHAKE, WAITING, HEAD, BODY
    }

    /** @param requests that were begun on the connection so far; @param sinceNs when this was first seen */
    private record Seen(Phase phase, long requests, long sinceNs) {}

    /** The protocol of a session that is not agreed on yet ({@link SSLEngine#getSession}). */
    private static final String NO_PROTOCOL_YET = "NONE";

    private final Patience patience;
    private final Map<HttpConnection, Seen> connections = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors
            .newSingleThreadScheduledExecutor(Thread.ofPlatform().name("slow-clients").daemon().factory());

    SlowClients(Patience patience) {
        this.patience = patience;
    }

    /** From now on looks at what is opened there. */
    void watch(Connector... connectors) {
        for (Connector connector : connectors) {
            connector.addEventListener(this);
        }
        long everyMs = patience.look().toMillis();
        timer.scheduleWithFixedDelay(this::look, everyMs, everyMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.put(http, new Seen(phaseOf(http), 0, System.nanoTime()));
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection http) {
            connections.remove(http);
        }
    }

    private void look() {
        long nowNs = System.nanoTime();
        connections.replaceAll((connection, before) -> {
            Phase phase = phaseOf(connection);
            long requests = connection.getMessagesIn();
            boolean isSame = phase == before.phase() && requests == before.requests();
            return isSame ? before : new Seen(phase, requests, nowNs);
        });
        connections.forEach((connection, seen) -> {
            if (isTooSlow(seen, nowNs)) {
                connection.getEndPoint().close();
            }
        });
    }

    private boolean isTooSlow(Seen seen, long nowNs) {
        long forNs = nowNs - seen.sinceNs();
        return switch (seen.phase()) {
            case WAITING -> false; // for the idle timeout to end
            case HANDSHAKE, HEAD -> forNs > patience.head().toNanos();
            case BODY -> forNs > patience.body().toNanos();
        };
    }

    private static Phase phaseOf(HttpConnection connection) {
        if (connection.getEndPoint() instanceof SslConnection.SslEndPoint endPoint
                && endPoint.getSslConnection().getSSLEngine().getSession().getProtocol().equals(NO_PROTOCOL_YET)) {
            return Phase.HANDSHAKE;
        }
        HttpParser parser = connection.getParser();
        if (parser.inContentState()) {
            return Phase.BODY;
        }
        return parser.inHeaderState() && !parser.isStart() ? Phase.HEAD : Phase.WAITING;
    }
}
