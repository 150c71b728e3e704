package dev.laurel.processors.delivery.email;

import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.OutputStream;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/** One connection to a mail server, which can say how far it got. One thread at a time. */
final class SmtpConnection extends SMTPTransport {

    private boolean isHandedOver;
    private int sent;
    private long idleSinceNs;

    SmtpConnection(Session session, boolean isTls) {
        super(session, null, "smtp", isTls);
    }

    void send(MimeMessage message, Address to) throws MessagingException {
        isHandedOver = false;
        sent++;
        sendMessage(message, new Address[]{to});
    }

    /** Called once the server has agreed to take the text: from here on it may have taken it. */
    @Override
    protected OutputStream data() throws MessagingException {
        OutputStream data = super.data();
        isHandedOver = true;
        return data;
    }

    /** Whether the last message may have gone out unless the server said otherwise. */
    boolean isHandedOver() {
        return isHandedOver;
    }

    /** Messages so far. */
    int sent() {
        return sent;
    }

    void idle(long nowNs) {
        idleSinceNs = nowNs;
    }

    long idleSinceNs() {
        return idleSinceNs;
    }
}
