package dev.laurel.processors.delivery.email;

import dev.laurel.processors.delivery.guard.AddressGuard;
import dev.laurel.processors.delivery.guard.GuardedSockets;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The mail server of a tenant, with the connections to it: a few at most, of which each carries many messages. Thread-safe.
 */
final class MailServer {

    /** As many as there are messages of a tenant under way, so that none that is marked waits for another. */
    static final int MAX_CONNECTIONS = 8;
    private static final int MAX_MESSAGES = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration MAX_IDLE = Duration.ofSeconds(30);
    private static final String CONNECT_TIMEOUT_MS = "10000";
    private static final String TIMEOUT_MS = "30000";

    private final SmtpSettings settings;
    private final Session session;
    private final Semaphore places = new Semaphore(MAX_CONNECTIONS, true);
    private final Deque<SmtpConnection> idle = new ArrayDeque<>();
    private boolean isRetired;

    /** @param guard of the addresses that are connected to @param properties beside ours */
    MailServer(SmtpSettings settings, AddressGuard guard, Properties properties) {
        this.settings = settings;
        var all = new Properties();
        all.put("mail.smtp.connectiontimeout", CONNECT_TIMEOUT_MS);
        all.put("mail.smtp.timeout", TIMEOUT_MS);
        all.put("mail.smtp.writetimeout", TIMEOUT_MS);
        all.put("mail.smtp.starttls.enable", "true");
        // Whoever is between could take the offer away, and read the password.
        all.put("mail.smtp.starttls.required", Boolean.toString(settings.user() != null && !settings.isLoopback()));
        all.put("mail.smtp.ssl.checkserveridentity", "true");
        all.put("mail.smtp.quitwait", "false");
        // Those that speak TLS are wrapped around it. The library would go around it where it fails.
        all.put("mail.smtp.socketFactory", new GuardedSockets(guard));
        all.put("mail.smtp.socketFactory.fallback", "false");
        all.put("mail.smtp.auth", Boolean.toString(settings.user() != null));
        all.putAll(properties);
        this.session = Session.getInstance(all);
    }

    boolean isAt(SmtpSettings other) {
        return settings.equals(other);
    }

    Session session() {
        return session;
    }

    /**
     * A connection for one message, to be given back or ended.
     *
     * @return null if there is none to be had in time: all are in use
     * @throws MessagingException if the server cannot be reached, or does not let us in
     */
    SmtpConnection connect() throws MessagingException, InterruptedException {
        if (!places.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
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
            places.release();
            throw e;
        }
    }

    private synchronized SmtpConnection takeIdle() {
        return idle.pollFirst();
    }

    /** After a message for which the server had an answer. */
    void giveBack(SmtpConnection connection) {
        boolean isKept;
        synchronized (this) {
            isKept = !isRetired && connection.sent() < MAX_MESSAGES;
            if (isKept) {
                connection.idle(System.nanoTime());
                idle.addFirst(connection);
            }
        }
        if (!isKept) {
            close(connection);
        }
        places.release();
    }

    /** After one for which it had none. */
    void end(SmtpConnection connection) {
        close(connection);
        places.release();
    }

    /** Ends what has not been used for a while. */
    void sweep() {
        long latestNs = System.nanoTime() - MAX_IDLE.toNanos();
        for (SmtpConnection old = takeIdleBefore(latestNs); old != null; old = takeIdleBefore(latestNs)) {
            close(old);
        }
    }

    private synchronized SmtpConnection takeIdleBefore(long latestNs) {
        SmtpConnection oldest = idle.peekLast();
        return oldest == null || oldest.idleSinceNs() - latestNs > 0 ? null : idle.pollLast();
    }

    /** Keeps no connection any more. */
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
            // It was gone already, which is what was asked for.
        }
    }
}
