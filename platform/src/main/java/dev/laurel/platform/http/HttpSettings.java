package dev.laurel.platform.http;

import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.key.TenantId;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an {@link HttpServer}.
 *
 * @param adminHost host name at which {@code /v1} is the admin API (docs/client-libraries.md §1)
 * @param limits limits on the number of requests per tenant
 * @param timeouts time limits for sending a request
 * @param tls certificate and key files; null for plain HTTP
 * @param peerKey key with which other processes of the deployment call this one; null if there are no others
 * @param sessions checks the session cookies of requests without a key
 * @param tracing creates the spans of requests
 * @param metrics receives the request metrics; served at {@code /metrics}
 * @param audit takes a record of each change through the admin API
 * @param isStrict whether requests with unknown parameters or fields are refused
 */
public record HttpSettings(
        Address address,
        @Nullable String adminHost,
        RequestLimits limits,
        RequestTimeouts timeouts,
        @Nullable TlsFiles tls,
        @Nullable PeerKey peerKey,
        Sessions sessions,
        Tracing tracing,
        Metrics metrics,
        AuditLog audit,
        boolean isStrict) {

    public HttpSettings {
        adminHost = adminHost == null || adminHost.isEmpty() ? null : adminHost.toLowerCase(Locale.ROOT);
    }

    /**
     * The address to listen on. Port 0 selects any free port.
     *
     * @param held socket that is bound to the address; null: the server binds one when it starts
     */
    public record Address(String host, int port, @Nullable ServerSocketChannel held) {
        private static final int LOWEST_HELD = 10_000;
        private static final int LOWEST_OF_CONNECTIONS = 32_768; // of Linux; 49,152 elsewhere
        private static final int HOLD_ATTEMPTS = 100;

        public Address(String host, int port) {
            this(host, port, null);
        }

        /**
         * Takes any free port now and holds it, for a port that must be known before the server starts. The server closes the
         * socket. The port is below the range that systems give to outgoing connections, so that no connection takes it
         * between two starts of a server, or before a server binds it that cannot be given the socket.
         *
         * @throws IOException if no port is found
         */
        public static Address held(String host) throws IOException {
            var socket = ServerSocketChannel.open();
            for (int attempt = 1; ; attempt++) {
                int port = ThreadLocalRandom.current().nextInt(LOWEST_HELD, LOWEST_OF_CONNECTIONS);
                try {
                    socket.socket().bind(new InetSocketAddress(host, port));
                    break;
                } catch (BindException e) {
                    if (attempt == HOLD_ATTEMPTS) {
                        socket.close();
                        throw e;
                    }
                } catch (IOException e) {
                    socket.close();
                    throw e;
                }
            }
            return new Address(host, socket.socket().getLocalPort(), socket);
        }
    }

    /**
     * The certificate and key files of a TLS server. They may be replaced while the server runs, in any order.
     *
     * @param certificate PEM file: the server's certificate, followed by the intermediate certificates
     * @param key PEM file: the private key of the first certificate, not encrypted
     * @param checkInterval interval between checks for changed files
     */
    public record TlsFiles(Path certificate, Path key, Duration checkInterval) {

        /** Checks the files every ten seconds. */
        public TlsFiles(Path certificate, Path key) {
            this(certificate, key, Duration.ofSeconds(10));
        }
    }

    /**
     * Time limits for sending a request.
     *
     * @param head limit from the first byte of a request to the end of its headers, and for the TLS handshake
     * @param body limit from the end of the headers to the end of the body
     * @param checkInterval interval between checks of the connections
     */
    public record RequestTimeouts(Duration head, Duration body, Duration checkInterval) {

        /** A body of 10 MiB can be sent at one megabit per second. */
        public static final RequestTimeouts DEFAULT =
                new RequestTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(120), Duration.ofSeconds(5));
    }

    /** Limits the number of requests per tenant. Thread-safe. */
    public interface RequestLimits {

        /** No limit. */
        RequestLimits NONE = (_, _) -> 0;

        /** Classes of requests, with separate limits because their costs differ. */
        enum Tier {
            /** Events and completions. */
            WRITE,
            /** All other requests. */
            OTHER
        }

        /**
         * Counts one request.
         * @return 0 if the request is within the limit, otherwise the number of seconds after which to retry
         */
        int retryAfterS(TenantId tenant, Tier tier);

        /**
         * Counts further requests that cannot be refused any more. They are missing from the following seconds, so that
         * a batch may exceed the limit of a second, and the average stays within it.
         */
        default void add(TenantId tenant, Tier tier, int requests) {}
    }

    /** Takes audit records. Thread-safe. */
    public interface AuditLog {

        /** Keeps no records. */
        AuditLog NONE = _ -> {};

        /**
         * Checks, before a change, whether the log takes records.
         *
         * @throws HttpRefusal 503 if it does not, so that the change must not be made
         */
        default void expectWritable() {}

        /**
         * Writes a record about a change that has been made, and returns when the record cannot be lost any more. Never throws: the change
         * cannot be undone. A record that cannot be written is reported loudly instead.
         */
        void write(AuditRecord record);
    }
}
