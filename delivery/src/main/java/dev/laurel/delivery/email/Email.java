package dev.laurel.delivery.email;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.delivery.message.MessageRenderer.Rendered;
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
import java.util.Base64;
import java.util.Date;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An email as it is sent. Its Message-ID follows from the id of the delivery, so that receivers recognise duplicates. */
final class Email extends MimeMessage {

    /** Mail servers cut lines of more than 998 bytes. An email with a longer URL has the link in its text only. */
    private static final int MAX_HEADER_URL = 900;

    private static final int WORD_CHARS = 42;
    private static final Pattern ADDRESS = Pattern.compile(
            "([^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]{1,64})@" + "([^\\s\\p{Cntrl}@<>\"(),:;\\\\\\[\\]]{1,255})");

    private final String messageId;

    private Email(Session session, String messageId) {
        super(session);
        this.messageId = messageId;
    }

    /**
     * @param delivery id of the delivery
     * @param at when it is sent
     * @param from address of the sender
     * @param unsubscribeUrl null: no link
     */
    static Email of(
            Session session,
            UUID delivery,
            Instant at,
            String from,
            Notifications.Sender sender,
            Address to,
            Rendered.Email content,
            @Nullable String unsubscribeUrl)
            throws MessagingException {
        InternetAddress fromAddress = address(from);
        String domain =
                fromAddress.getAddress().substring(fromAddress.getAddress().indexOf('@') + 1);
        var email = new Email(session, "<" + delivery + "@" + domain + ">");
        String name = sender.fromName();
        if (name != null && looksEncoded(name)) {
            email.setHeader("From", encoded(name) + "\r\n <" + fromAddress.getAddress() + ">");
        } else {
            email.setFrom(named(fromAddress, name));
        }
        String replyTo = sender.replyTo();
        if (replyTo != null) {
            email.setReplyTo(new Address[] {address(replyTo)});
        }
        email.setRecipient(Message.RecipientType.TO, to);
        if (looksEncoded(content.subject())) {
            email.setHeader("Subject", encoded(content.subject()));
        } else {
            email.setSubject(content.subject(), UTF_8.name());
        }
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

    /** Whether the mail library would send text as it is that mail programs decode as an encoded word (RFC 2047). */
    private static boolean looksEncoded(String text) {
        return text.contains("=?") && text.chars().allMatch(c -> c < 128);
    }

    /** Encodes ASCII text as words of at most 75 characters, each on a line. */
    private static String encoded(String text) {
        return IntStream.iterate(0, from -> from < text.length(), from -> from + WORD_CHARS)
                .mapToObj(from -> text.substring(from, Math.min(text.length(), from + WORD_CHARS)))
                .map(part -> "=?UTF-8?B?" + Base64.getEncoder().encodeToString(part.getBytes(UTF_8)) + "?=")
                .collect(Collectors.joining("\r\n "));
    }

    private static MimeBodyPart part(String text, String subtype) throws MessagingException {
        var part = new MimeBodyPart();
        part.setText(text, UTF_8.name(), subtype);
        return part;
    }

    /**
     * Parses a single address, whose domain is converted to ASCII.
     *
     * @throws AddressException if the text is not an address, or has characters beyond ASCII before the {@code @}
     */
    static InternetAddress address(String text) throws AddressException {
        var parts = ADDRESS.matcher(text);
        if (!parts.matches() || !parts.group(1).chars().allMatch(c -> c < 128)) {
            throw new AddressException("not an address that mail servers accept");
        }
        try {
            return new InternetAddress(parts.group(1) + "@" + IDN.toASCII(parts.group(2)), true);
        } catch (IllegalArgumentException _) {
            throw new AddressException("not an address that mail servers accept");
        }
    }

    private static InternetAddress named(InternetAddress address, @Nullable String name) {
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
