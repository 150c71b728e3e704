package dev.laurel.delivery.email;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.guard.AddressGuard.Sockets;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.ruleset.ServerAddress;
import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/** The pool of connections to the mail server of a tenant. Each connection carries many messages. Thread-safe. */
final class MailServer {

    /** The number of messages that a tenant may have in flight, so that no marked message waits for a connection. */
    static final int MAX_CONNECTIONS = 8;

    private static final int MAX_MESSAGES = 100;
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final Duration MAX_IDLE = Duration.ofSeconds(30);

    /** A server is forgotten after this time without a message; longer than a message waits for a connection. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

    private static final String CONNECT_TIMEOUT_MS = "10000";
    private static final String TIMEOUT_MS = "30000";

    private final SmtpSettings settings;
    private final Session session;
    private final Semaphore permits = new Semaphore(MAX_CONNECTIONS, true);
    private final Deque<SmtpConnection> idle = new ArrayDeque<>();
    private boolean isRetired;
    private volatile long usedNs = System.nanoTime();

    /** @param guard checks addresses when connecting @param properties added to those set here */
    MailServer(SmtpSettings settings, AddressGuard guard, Properties properties) {
        this.settings = settings;
        var all = new Properties();
        all.put("mail.smtp.connectiontimeout", CONNECT_TIMEOUT_MS);
        all.put("mail.smtp.timeout", TIMEOUT_MS);
        all.put("mail.smtp.writetimeout", TIMEOUT_MS);
        all.put("mail.smtp.starttls.enable", "true");
        // Otherwise an attacker on the network path could suppress the offer of TLS and read the password.
        all.put(
                "mail.smtp.starttls.required",
                Boolean.toString(settings.user() != null && !OutboundHttp.isLoopback(settings.host())));
        all.put("mail.smtp.ssl.checkserveridentity", "true");
        all.put("mail.smtp.quitwait", "false");
        // TLS sockets are layered over these sockets. Without this setting the library bypasses the factory if the
        // factory fails.
        all.put("mail.smtp.socketFactory", new Sockets(guard));
        all.put("mail.smtp.socketFactory.fallback", "false");
        all.put("mail.smtp.auth", Boolean.toString(settings.user() != null));
        all.putAll(properties);
        this.session = Session.getInstance(all);
    }

    boolean isAt(SmtpSettings other) {
        return settings.equals(other);
    }

    /** Notes that a message is about to be sent. */
    void use() {
        usedNs = System.nanoTime();
    }

    /** Whether no message was sent for long, and none is being sent. */
    boolean isUnused() {
        return System.nanoTime() - usedNs > FORGOTTEN_AFTER.toNanos() && permits.availablePermits() == MAX_CONNECTIONS;
    }

    Session session() {
        return session;
    }

    /**
     * Takes a connection for one message, to be given back or discarded.
     *
     * @return null if no connection became free in time
     * @throws MessagingException if the server cannot be reached, or rejects the credentials
     */
    @Nullable
    SmtpConnection connect() throws MessagingException, InterruptedException {
        if (!permits.tryAcquire(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            return null;
        }
        try {
            for (SmtpConnection kept = takeIdle(); kept != null; kept = takeIdle()) {
                if (kept.isConnected()) { // asks the server
                    return kept;
                }
            }
            var connection = new SmtpConnection(session, settings.isTls());
            connection.connect(settings.host(), settings.port(), settings.user(), settings.password());
            return connection;
        } catch (MessagingException | RuntimeException e) {
            permits.release();
            throw e;
        }
    }

    private synchronized @Nullable SmtpConnection takeIdle() {
        return idle.pollFirst();
    }

    /** Returns a connection whose message the server has answered. */
    void giveBack(SmtpConnection connection) {
        boolean isKept;
        synchronized (this) {
            isKept = !isRetired && connection.sent < MAX_MESSAGES;
            if (isKept) {
                connection.idleSinceNs = System.nanoTime();
                idle.addFirst(connection);
            }
        }
        if (!isKept) {
            close(connection);
        }
        permits.release();
    }

    /** Closes a connection whose message the server has not answered. */
    void discard(SmtpConnection connection) {
        close(connection);
        permits.release();
    }

    /** Closes connections that were idle for a while. */
    void sweep() {
        long latestNs = System.nanoTime() - MAX_IDLE.toNanos();
        for (SmtpConnection old = takeIdleBefore(latestNs); old != null; old = takeIdleBefore(latestNs)) {
            close(old);
        }
    }

    private synchronized @Nullable SmtpConnection takeIdleBefore(long latestNs) {
        SmtpConnection oldest = idle.peekLast();
        return oldest == null || oldest.idleSinceNs - latestNs > 0 ? null : idle.pollLast();
    }

    /** Closes idle connections, and keeps none from now on. */
    void retire() {
        synchronized (this) {
            isRetired = true;
        }
        for (SmtpConnection kept = takeIdle(); kept != null; kept = takeIdle()) {
            close(kept);
        }
    }

    private static void close(SmtpConnection connection) {
        try {
            connection.close();
        } catch (MessagingException _) {
            // The connection is closed already.
        }
    }

    /** A connection that notes whether the transmission of a message's text has begun. One thread at a time. */
    static final class SmtpConnection extends SMTPTransport {

        private boolean isTextBegun;

        /** The number of messages so far. */
        private int sent;

        private long idleSinceNs;

        SmtpConnection(Session session, boolean isTls) {
            super(session, null, "smtp", isTls);
        }

        void send(MimeMessage message, Address to) throws MessagingException {
            isTextBegun = false;
            sent++;
            sendMessage(message, new Address[] {to});
        }

        /** Called when the server accepts the DATA command: from here on it may have accepted the message. */
        @Override
        protected OutputStream data() throws MessagingException {
            OutputStream data = super.data();
            isTextBegun = true;
            return data;
        }

        /** Whether the last message may have been sent, unless the server has answered with an error. */
        boolean isTextBegun() {
            return isTextBegun;
        }
    }

    /**
     * The mail server of an {@code smtpUrl} (docs/admin-api.md B4). {@code smtp} upgrades to TLS if the server offers it, and
     * requires that if a password is sent over the network; {@code smtps} begins with TLS.
     *
     * @param user null, as is the password, for a server without authentication
     */
    record SmtpSettings(
            String host,
            int port,
            boolean isTls,
            @Nullable String user,
            @Nullable String password) {

        private static final int SUBMISSION_PORT = 587;
        private static final int TLS_PORT = 465;

        /**
         * @param url {@code smtps://user:password@host:port}; user and password percent-encoded
         * @throws BadInputException if it is not an address of a mail server; earlier versions checked settings less strictly
         */
        static SmtpSettings of(String url) throws BadInputException {
            URI uri;
            try {
                uri = new URI(url);
            } catch (URISyntaxException _) {
                throw unusable(); // not the cause, whose message contains the password
            }
            if (!ServerAddress.isIn(uri)) {
                throw unusable();
            }
            boolean isTls = "smtps".equalsIgnoreCase(uri.getScheme());
            int port = uri.getPort() >= 0 ? uri.getPort() : isTls ? TLS_PORT : SUBMISSION_PORT;
            String[] who = uri.getRawUserInfo() == null
                    ? new String[0]
                    : uri.getRawUserInfo().split(":", 2);
            return who.length < 2
                    ? new SmtpSettings(uri.getHost(), port, isTls, null, null)
                    : new SmtpSettings(uri.getHost(), port, isTls, decoded(who[0]), decoded(who[1]));
        }

        private static BadInputException unusable() {
            return BadInputException.invalid("email.smtpUrl", "must be an address of a mail server");
        }

        /** Decodes a percent-encoded text, in which a plus is a plus. */
        private static String decoded(String text) {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        }

        /** Without the password: this may end up in a log. */
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }
}
