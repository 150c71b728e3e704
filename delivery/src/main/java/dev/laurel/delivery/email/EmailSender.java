package dev.laurel.delivery.email;

import static dev.laurel.delivery.message.MessageSender.SendResult.refused;

import dev.laurel.delivery.email.MailServer.SmtpConnection;
import dev.laurel.delivery.email.MailServer.SmtpSettings;
import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.message.MessageRenderer;
import dev.laurel.delivery.message.MessageRenderer.Rendered;
import dev.laurel.delivery.message.MessageSender;
import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.platform.access.EmailToken;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import jakarta.mail.Address;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.internet.AddressException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends emails through the mail server of the tenant (docs/admin-api.md B4). Connections are few and reused. Thread-safe: messages of
 * a tenant wait for a free connection, and do not delay messages of other tenants.
 */
public final class EmailSender implements MessageSender, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmailSender.class);
    private static final Duration SWEEP = Duration.ofSeconds(10);
    private static final String CHANNELS = "PATCH /admin/v1/notifications/channels";

    private static final int MAX_REASON = 300;
    private static final int PERMANENT = 500;
    private static final int TRANSIENT = 400;

    private final AccessIndex access;
    private final String publicUrl;
    private final AddressGuard guard;
    private final InstantSource clock;
    private final Properties properties;
    private final Map<TenantId, MailServer> servers = new ConcurrentHashMap<>();
    private final AtomicLong withheld = new AtomicLong();
    private final Thread sweeper =
            Thread.ofVirtual().name("mail-server-sweeper").unstarted(this::sweep);

    /**
     * @param access contains the newest secrets of the channels
     * @param publicUrl see {@code DeliveryConfig}; empty: emails are not sent, because they would have no link to unsubscribe
     * @param guard checks the addresses of mail servers
     * @param clock gives the dates of emails
     * @param properties of the mail library, in addition to those of {@link MailServer}
     */
    public EmailSender(
            AccessIndex access, String publicUrl, AddressGuard guard, InstantSource clock, Properties properties) {
        this.guard = guard;
        this.access = access;
        this.publicUrl = publicUrl;
        this.clock = clock;
        this.properties = properties;
        sweeper.start();
    }

    @Override
    public SendResult send(OutgoingMessage message) throws InterruptedException {
        TenantId tenant = message.user().tenant();
        String smtpUrl = access.secret(tenant, Secret.CHANNELS, Secret.SMTP_URL);
        String from = message.sender().from();
        if (smtpUrl == null || from == null) {
            return refused("Emails cannot be sent: " + (smtpUrl == null ? "email.smtpUrl" : "email.from")
                    + " is not set; " + CHANNELS + " sets it.");
        }
        SmtpSettings settings;
        try {
            settings = SmtpSettings.of(smtpUrl);
        } catch (BadInputException e) {
            return refused(e.getMessage() + "; " + CHANNELS + " sets it.");
        }
        if (publicUrl.isEmpty()) {
            return withheld();
        }
        String token = EmailToken.toUnsubscribe(message.user(), access);
        if (token == null) {
            // The process that writes the settings creates a key at its next start.
            return new SendResult.NotSent("There is no key yet for the link to unsubscribe.");
        }
        String unsubscribeUrl = publicUrl + "/unsubscribe/" + token;
        return switch (MessageRenderer.of(
                message.channel(),
                message.text(),
                message.values(),
                message.sender(),
                message.branding(),
                unsubscribeUrl)) {
            case Rendered.Refused(String reason) -> refused(reason);
            case Rendered.Push _ -> throw new IllegalArgumentException("a push message is no email");
            case Rendered.Email content ->
                send(
                        serverOf(tenant, settings),
                        message,
                        from,
                        tracked(content, message, unsubscribeUrl),
                        unsubscribeUrl);
        };
    }

    /** The email with the image and the links by which opens and clicks are counted, as far as that is wanted. */
    private Rendered.Email tracked(Rendered.Email content, OutgoingMessage message, String unsubscribeUrl) {
        String html = content.html();
        if (message.tracksClicks()) {
            String written = message.text().body() + ' ' + message.branding().appUrl();
            html = TrackedHtml.withLinks(
                    html,
                    target -> !target.equals(unsubscribeUrl) && TrackedHtml.namesServerOf(written, target)
                            ? url(message, target)
                            : null);
        }
        String image = message.tracksOpens() ? url(message, null) : null;
        return new Rendered.Email(
                content.subject(), image == null ? html : TrackedHtml.withImage(html, image), content.text());
    }

    private @Nullable String url(OutgoingMessage message, @Nullable String target) {
        String token = EmailToken.of(new EmailToken.Content(message.user(), message.id(), target), access);
        return token == null ? null : publicUrl + "/m/" + token;
    }

    /** The operator can set the URL before the attempts end. */
    private SendResult withheld() {
        if (withheld.getAndIncrement() == 0) {
            LOG.error("Emails are withheld, because they would have no link to unsubscribe: set --public-url and"
                    + " restart");
        }
        return new SendResult.NotSent(
                "Emails are withheld, because they would have no link to unsubscribe: --public-url is not set.");
    }

    /** Returns the number of attempts that were not made because there is no public URL. */
    public long withheldAttempts() {
        return withheld.get();
    }

    private SendResult send(
            MailServer server, OutgoingMessage message, String from, Rendered.Email content, String unsubscribeUrl)
            throws InterruptedException {
        String to = addressOf(message);
        Email email;
        Address recipient;
        try {
            recipient = Email.address(to);
            email = Email.of(
                    server.session(),
                    message.id(),
                    clock.instant(),
                    from,
                    message.sender(),
                    recipient,
                    content,
                    unsubscribeUrl);
        } catch (AddressException _) {
            return refused(
                    to.isEmpty()
                            ? "The user has no email address."
                            : "Mail servers do not accept the email address of the user, or that of the sender.");
        } catch (MessagingException e) {
            throw new IllegalStateException("an email could not be composed", e);
        }
        return transmit(server, email, recipient, to);
    }

    private static SendResult transmit(MailServer server, Email email, Address recipient, String to)
            throws InterruptedException {
        SmtpConnection connection;
        try {
            connection = server.connect();
        } catch (MessagingException | RuntimeException e) {
            // Caused by the settings or the server: nothing was sent, and messages of other tenants are not affected.
            return notReached(e);
        }
        if (connection == null) {
            return new SendResult.NotSent("All connections to the mail server are busy.");
        }
        boolean isAnswered = false;
        try {
            connection.send(email, recipient);
            isAnswered = true;
            return new SendResult.Sent(List.of());
        } catch (MessagingException | RuntimeException e) {
            SendResult result = resultOf(e, connection.isTextBegun(), to);
            // The connection can be reused: the server refused only this message.
            isAnswered = result instanceof SendResult.Refused;
            return result;
        } finally {
            if (isAnswered) {
                server.giveBack(connection);
            } else {
                server.discard(connection);
            }
        }
    }

    private static String addressOf(OutgoingMessage message) {
        return message.values().get("user") instanceof Map<?, ?> user && user.get("email") instanceof String email
                ? email
                : "";
    }

    /** The server of a tenant. A change of the settings retires the former server with its connections. */
    private MailServer serverOf(TenantId tenant, SmtpSettings settings) {
        return servers.compute(tenant, (_, server) -> {
            if (server != null && server.isAt(settings)) {
                server.use();
                return server;
            }
            if (server != null) {
                server.retire();
            }
            return new MailServer(settings, guard, properties);
        });
    }

    private void sweep() {
        try {
            while (true) {
                Thread.sleep(SWEEP);
                servers.values().forEach(MailServer::sweep);
                servers.keySet()
                        .forEach(tenant ->
                                servers.computeIfPresent(tenant, (_, server) -> server.isUnused() ? null : server));
            }
        } catch (InterruptedException _) {
            // Closed.
        }
    }

    /** Closes idle connections; messages that are being sent finish. */
    @Override
    public void close() {
        sweeper.interrupt();
        servers.values().forEach(MailServer::retire);
    }

    // The outcomes of errors. Reasons are shown to operators, and contain no password and no address.

    private static SendResult notReached(Exception e) {
        String what = e instanceof AuthenticationFailedException
                ? "The mail server rejects the login: "
                : "The mail server cannot be reached: ";
        return new SendResult.NotSent(reason(what, e, ""));
    }

    /**
     * A server that answered with an error has not accepted the message, for good (5xx) or for now (4xx). A server that did not answer
     * may have accepted it if it had accepted the DATA command.
     *
     * @param to the address, which the reason must not contain
     */
    private static SendResult resultOf(Exception e, boolean isTextBegun, String to) {
        int code = code(e);
        if (code >= PERMANENT) {
            boolean isAboutAddress = causes(e).anyMatch(SMTPAddressFailedException.class::isInstance);
            return new SendResult.Refused(reason("The mail server refused: ", e, to), List.of(), isAboutAddress);
        }
        if (code >= TRANSIENT || !isTextBegun) {
            return new SendResult.NotSent(reason("The mail server did not accept the message: ", e, to));
        }
        return new SendResult.Doubtful(
                reason("The connection broke during the transmission; the message may have been sent: ", e, to));
    }

    /** The newest status of the server; 0 if there is none. */
    private static int code(Exception e) {
        return causes(e)
                .mapToInt(mail -> switch (mail) {
                    case SMTPAddressFailedException address -> address.getReturnCode();
                    case SMTPSenderFailedException sender -> sender.getReturnCode();
                    case SMTPSendFailedException send -> send.getReturnCode();
                    default -> 0;
                })
                .filter(code -> code > 0)
                .findFirst()
                .orElse(0);
    }

    /** The exception and those that led to it. */
    private static Stream<Exception> causes(Exception e) {
        return Stream.iterate(
                e, MessagingException.class::isInstance, mail -> ((MessagingException) mail).getNextException());
    }

    private static String reason(String what, Exception e, String to) {
        Exception cause = e;
        while (cause instanceof MessagingException mail
                && mail.getNextException() != null
                && (cause instanceof SendFailedException || mail.getNextException() instanceof AddressGuard.Refused)) {
            cause = mail.getNextException();
        }
        String said = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        String clean = to.isEmpty() ? said : said.replace(to, "…");
        return UnicodeText.cut(what + clean.replaceAll("[\\p{Cntrl}\\s]+", " ").strip(), MAX_REASON);
    }
}
