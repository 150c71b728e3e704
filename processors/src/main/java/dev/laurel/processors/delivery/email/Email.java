package dev.laurel.processors.delivery.email;

import dev.laurel.processors.delivery.message.MessageRenderer.Rendered;
import dev.laurel.schemas.ruleset.Notifications;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.UnsupportedEncodingException;
import java.net.IDN;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/** An email as it is sent. Its Message-ID follows from the delivery's id, so that receivers recognise a duplicate. */
final class Email extends MimeMessage {

    /** Lines longer than 998 bytes are cut on the way; then only the link in the text remains. */
    private static final int MAX_HEADER_URL = 900;
    private static final Pattern ADDRESS = Pattern.compile("([^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]{1,64})@"
            + "([^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]{1,255})");

    private final String messageId;

    private Email(Session session, String messageId) {
        super(session);
        this.messageId = messageId;
    }

    /**
     * @param delivery id of the delivery
     * @param at when it is sent
     * @param unsubscribeUrl null if there is none
     */
    static Email of(Session session, UUID delivery, Instant at, Notifications.Sender sender, Address to,
            Rendered.Email content, String unsubscribeUrl) throws MessagingException {
        InternetAddress from = address(sender.from());
        var email = new Email(session,
                "<" + delivery + "@" + from.getAddress().substring(from.getAddress().indexOf('@') + 1) + ">");
        email.setFrom(named(from, sender.fromName()));
        if (sender.replyTo() != null) {
            email.setReplyTo(new Address[]{address(sender.replyTo())});
        }
        email.setRecipient(Message.RecipientType.TO, to);
        email.setSubject(content.subject(), UTF_8.name());
        email.setSentDate(Date.from(at));
        email.setHeader("Auto-Submitted", "auto-generated");
        if (unsubscribeUrl != null && unsubscribeUrl.length() <= MAX_HEADER_URL) {
            email.setHeader("List-Unsubscribe", "<" + unsubscribeUrl + ">");
            if (unsubscribeUrl.startsWith("https:")) { // RFC 8058 asks for it
                email.setHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
            }
        }
        // Clients that can show both show the last part.
        email.setContent(new MimeMultipart("alternative", part(content.text(), "plain"), part(content.html(), "html")));
        email.saveChanges();
        return email;
    }

    private static MimeBodyPart part(String text, String subtype) throws MessagingException {
        var part = new MimeBodyPart();
        part.setText(text, UTF_8.name(), subtype);
        return part;
    }

    /**
     * Parses a single address, whose domain is converted to ASCII.
     *
     * @throws AddressException if it is not an address, or has characters beyond ASCII before the {@code @}
     */
    static InternetAddress address(String text) throws AddressException {
        var parts = ADDRESS.matcher(text);
        if (!parts.matches() || !parts.group(1).chars().allMatch(c -> c < 128)) {
            throw new AddressException("no address that mail servers take");
        }
        try {
            return new InternetAddress(parts.group(1) + "@" + IDN.toASCII(parts.group(2)), true);
        } catch (IllegalArgumentException _) {
            throw new AddressException("no address that mail servers take");
        }
    }

    private static InternetAddress named(InternetAddress address, String name) {
        try {
            address.setPersonal(name, UTF_8.name());
            return address;
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException("every JDK has UTF-8", e);
        }
    }

    @Override
    protected void updateMessageID() throws MessagingException {
        setHeader("Message-ID", messageId);
    }
}
