package dev.laurel.delivery.email;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.laurel.delivery.email.MailServer.SmtpSettings;
import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.platform.access.EmailToken;
import dev.laurel.platform.http.TestServer;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Notifications.Sender;
import dev.laurel.schemas.ruleset.Settings.Branding;
import dev.laurel.schemas.ruleset.Template;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Emails and the answers of the mail server, which is GreenMail or a {@link MailServerStandIn}. */
@Timeout(60)
class EmailSenderTest {

    private static final Instant NOW = Instant.parse("2031-03-04T17:00:00Z");
    private static final UserKey IDA = new UserKey(new TenantId("acme"), new UserId("ida"));
    private static final Sender SENDER = new Sender("team@swim.test", "Räpylä & co", "help@swim.test");
    private static final String PUBLIC = "https://laurel.test";

    private final AccessIndex access = InMemoryAccessStore.index();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private EmailSender sender(String publicUrl, Properties properties) {
        var sender = new EmailSender(access, publicUrl, new AddressGuard(true), () -> NOW, properties);
        open.add(sender);
        return sender;
    }

    private EmailSender sender() {
        return sender(PUBLIC, new Properties());
    }

    private void secret(TenantId tenant, String name, String value) {
        Secret secret = new Secret(tenant, Secret.CHANNELS, name, value);
        access.put(secret.recordKey(), secret);
    }

    private void configure(String smtpUrl) {
        secret(IDA.tenant(), Secret.SMTP_URL, smtpUrl);
        secret(IDA.tenant(), Secret.UNSUBSCRIBE, "0123");
    }

    private GreenMail greenMail(String protocol) {
        var server = new GreenMail(new ServerSetup(0, "127.0.0.1", protocol));
        server.start();
        open.add(server::stop);
        return server;
    }

    /** Mail programs decode what looks like an encoded word, and would show what is filtered from names elsewhere. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Hi =?utf-8?q?x?=",
                "=?utf-8?b?eA==?=",
                "Sinä =?utf-8?q?x?=",
                "a =? b",
                "\"a, b\" <c@d.test>",
                "=?utf-8?q?x?= \"a, b\" <c@d.test>\\"
            })
    void shouldSendTextsOfHeadersAsTheyAre(String text) throws Exception {
        GreenMail server = greenMail("smtp");
        configure("smtp://127.0.0.1:" + server.getSmtp().getPort());
        for (String sent :
                List.of(text, (text + " ").repeat(250 / (text.length() + 1)).strip())) {
            String name = sent.substring(0, Math.min(sent.length(), 100)).strip();

            assertInstanceOf(
                    SendResult.Sent.class,
                    sender().send(message("ida@example.test", sent, "x", new Sender(SENDER.from(), name, null))));

            MimeMessage mail = server.getReceivedMessages()[server.getReceivedMessages().length - 1];
            assertEquals(sent, mail.getSubject());
            assertEquals(1, mail.getFrom().length);
            assertEquals("team@swim.test", ((InternetAddress) mail.getFrom()[0]).getAddress());
            assertEquals(name, ((InternetAddress) mail.getFrom()[0]).getPersonal());
            for (String header : List.of("Subject", "From")) {
                String raw = mail.getHeader(header, null);
                assertFalse(raw.contains("=?utf-8?") || raw.contains("=? "), raw);
                assertTrue(raw.lines().allMatch(line -> line.length() <= 78 || !line.contains("=?")), raw);
            }
        }
    }

    private MailServerStandIn standIn() throws Exception {
        var server = new MailServerStandIn();
        open.add(server);
        configure("smtp://127.0.0.1:" + server.port());
        return server;
    }

    private static OutgoingMessage message(String email, String subject, String body, Sender sender) {
        Map<String, Object> user = email == null ? Map.of("name", "Ida") : Map.of("name", "Ida", "email", email);
        return new OutgoingMessage(
                new UUID(1, 2),
                IDA,
                NotificationChannel.EMAIL,
                NotificationType.RECAP,
                new Template.Text(subject, body),
                Map.of("user", user),
                sender,
                Branding.NONE,
                false,
                false);
    }

    private static OutgoingMessage message() {
        return message("ida@example.test", "Sinä & {{user.name}} 🏊", "Hyvää päivää, {{user.name}}!", SENDER);
    }

    @Test
    void shouldSendTextAndHtmlWithHeaders() throws Exception {
        GreenMail server = greenMail("smtp");
        configure("smtp://127.0.0.1:" + server.getSmtp().getPort());

        assertEquals(new SendResult.Sent(List.of()), sender().send(message()));

        MimeMessage mail = server.getReceivedMessages()[0];
        String link = PUBLIC + "/unsubscribe/" + EmailToken.toUnsubscribe(IDA, access);
        assertEquals("Sinä & Ida 🏊", mail.getSubject());
        assertArrayEquals(new Object[] {new InternetAddress("team@swim.test", "Räpylä & co", "UTF-8")}, mail.getFrom());
        assertEquals("Räpylä & co", ((InternetAddress) mail.getFrom()[0]).getPersonal());
        assertEquals("help@swim.test", mail.getReplyTo()[0].toString());
        assertEquals("ida@example.test", mail.getHeader("To", null));
        assertEquals("<00000000-0000-0001-0000-000000000002@swim.test>", mail.getMessageID());
        assertEquals(Date.from(NOW), mail.getSentDate());
        assertEquals("<" + link + ">", mail.getHeader("List-Unsubscribe", null));
        assertEquals("List-Unsubscribe=One-Click", mail.getHeader("List-Unsubscribe-Post", null));
        assertEquals("auto-generated", mail.getHeader("Auto-Submitted", null));
        var parts = (MimeMultipart) mail.getContent();
        assertTrue(parts.getContentType().startsWith("multipart/alternative"), parts.getContentType());
        assertTrue(parts.getBodyPart(0).isMimeType("text/plain"));
        assertEquals(
                "Hyvää päivää, Ida!\r\n\r\n-- \r\nChoose what you get, or unsubscribe: " + link + "\r\n",
                parts.getBodyPart(0).getContent());
        assertTrue(parts.getBodyPart(1).isMimeType("text/html"));
        String html = (String) parts.getBodyPart(1).getContent();
        assertTrue(html.contains("Hyvää päivää, Ida!</p>") && html.contains("href=\"" + link), html);
        assertEquals(2, parts.getCount());
    }

    @Test
    void shouldLogInOverTls() throws Exception {
        GreenMail server = greenMail("smtps");
        server.setUser("ida@example.test", "us er", "p:w@/+%");
        var trusting = new Properties();
        trusting.put("mail.smtp.ssl.trust", "*");
        trusting.put("mail.smtp.ssl.checkserveridentity", "false");

        configure(
                "smtps://us%20er:p%3Aw%40%2F+%25@127.0.0.1:" + server.getSmtps().getPort());
        assertInstanceOf(SendResult.Sent.class, sender(PUBLIC, trusting).send(message()));
        assertEquals(1, server.getReceivedMessages().length);

        configure("smtps://us%20er:wrong@127.0.0.1:" + server.getSmtps().getPort());
        var refused = assertInstanceOf(
                SendResult.NotSent.class, sender(PUBLIC, trusting).send(message()));
        assertTrue(refused.reason().startsWith("The mail server rejects the login: "), refused.reason());
        assertFalse(refused.reason().contains("wrong"), refused.reason());

        var unknown = assertInstanceOf(SendResult.NotSent.class, sender().send(message()));
        assertTrue(unknown.reason().startsWith("The mail server cannot be reached: "), unknown.reason());
        assertEquals(1, server.getReceivedMessages().length, "to nobody whose name is not proved");
    }

    @Test
    void shouldUpgradeToTlsIfOffered() throws Exception {
        var trusting = new Properties();
        trusting.put("mail.smtp.ssl.trust", "*");
        trusting.put("mail.smtp.ssl.checkserveridentity", "false");
        try (var server = standIn().answering("EHLO", "250-hi\r\n250 STARTTLS").answering("STARTTLS", "220 go on")) {
            assertInstanceOf(SendResult.Sent.class, sender(PUBLIC, trusting).send(message()));

            assertTrue(
                    server.received.indexOf("tls") < server.received.indexOf("MAIL FROM:<team@swim.test>"),
                    server.received::toString);
            assertTrue(server.received.contains("tls"), server.received::toString);
        }
    }

    /** The answer of the server, or its silence, and the outcome. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "connected|421 busy|NotSent",
                "connected||NotSent",
                "EHLO||NotSent",
                "MAIL|550 not you|Refused",
                "MAIL|451 later|NotSent",
                "MAIL||NotSent",
                "RCPT|550 5.1.1 <ida@example.test>: no such user|Refused",
                "RCPT|450 4.2.1 greylisted|NotSent",
                "RCPT|552 quota|Refused",
                "RCPT|421 going down|NotSent",
                "RCPT||NotSent",
                "DATA|554 no|Refused",
                "DATA|451 later|NotSent",
                "DATA||NotSent",
                ".|550 spam|Refused",
                ".|452 full|NotSent",
                ".||Doubtful",
                "text||Doubtful"
            })
    void shouldDeriveTheOutcomeFromTheAnswer(String verb, String answer, String expected) throws Exception {
        standIn().answering(verb, answer == null ? MailServerStandIn.HANG_UP : answer);
        // Long enough that the server's silence is noticed during the transmission.
        String body = verb.equals("text") ? "x ".repeat(40_000) : "Hi";

        SendResult result = sender().send(message("ida@example.test", "S", body, SENDER));

        assertEquals(expected, result.getClass().getSimpleName(), result::toString);
        assertFalse(result.toString().contains("ida@example.test"), result::toString);
    }

    @Test
    void shouldReportTheReasonOfARefusal() throws Exception {
        standIn().answering("RCPT", "550-5.1.1 no\r\n550 such user");

        assertEquals(
                new SendResult.Refused("The mail server refused: 550-5.1.1 no 550 such user", List.of(), true),
                sender().send(message()));
    }

    @Test
    void shouldNotBeSentIfTheServerCannotBeReached() throws Exception {
        configure("smtp://127.0.0.1:" + TestServer.unusedPort());

        var result = assertInstanceOf(SendResult.NotSent.class, sender().send(message()));
        assertTrue(result.reason().startsWith("The mail server cannot be reached: "), result.reason());
    }

    @Test
    void shouldReuseAConnectionUntilItBreaks() throws Exception {
        MailServerStandIn server = standIn();
        EmailSender sender = sender();
        for (int i = 0; i < 3; i++) {
            assertInstanceOf(SendResult.Sent.class, sender.send(message()));
        }
        assertEquals(1, server.connections());

        server.answering("NOOP", MailServerStandIn.HANG_UP);
        assertInstanceOf(SendResult.Sent.class, sender.send(message()));
        assertEquals(2, server.connections());
        assertEquals(4, server.received.stream().filter("."::equals).count(), server.received::toString);

        server.answering("NOOP", "250 ok").answering("RCPT", "550 no");
        assertInstanceOf(SendResult.Refused.class, sender.send(message()));
        server.answering("RCPT", "250 ok");
        assertInstanceOf(SendResult.Sent.class, sender.send(message()));
        assertEquals(2, server.connections());
    }

    @Test
    void shouldUseFewConnectionsForManyMessages() throws Exception {
        MailServerStandIn server = standIn();
        EmailSender sender = sender();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var sends = new ArrayList<Callable<SendResult>>();
            for (int i = 0; i < 250; i++) {
                sends.add(() -> sender.send(message()));
            }
            for (Future<SendResult> sent : threads.invokeAll(sends)) {
                assertInstanceOf(SendResult.Sent.class, sent.get());
            }
        }
        assertEquals(250, server.received.stream().filter("."::equals).count());
        // At most eight connections at once, and a new one after a hundred messages.
        assertTrue(server.connections() <= 2 * MailServer.MAX_CONNECTIONS, () -> server.connections() + " connections");
    }

    @Test
    void shouldFollowNewSettings() throws Exception {
        MailServerStandIn before = standIn();
        EmailSender sender = sender();
        sender.send(message());
        MailServerStandIn after = standIn();

        assertInstanceOf(SendResult.Sent.class, sender.send(message()));

        assertEquals(1, before.received.stream().filter("."::equals).count());
        assertEquals(1, after.received.stream().filter("."::equals).count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ida@example.test\r\nBcc: x@y.test",
                "ida@example.test,x@y.test",
                "<ida@example.test>",
                "ida",
                "ida@",
                "@example.test",
                "ida@exa mple.test",
                "a@b@c.test",
                "itä@example.test",
                "ida@\u0000.test",
                "\"ida\"@example.test",
                "ida@example.test> SIZE=1",
                "ida@..test"
            })
    void shouldRefuseInvalidAddresses(String email) throws Exception {
        MailServerStandIn server = standIn();

        SendResult result = sender().send(message(email, "S", "B", SENDER));

        assertInstanceOf(SendResult.Refused.class, result);
        assertEquals(0, server.connections());
        assertFalse(result.toString().contains(email), result::toString);
    }

    @Test
    void shouldWriteInternationalDomainsInAscii() throws Exception {
        MailServerStandIn server = standIn();

        assertInstanceOf(SendResult.Sent.class, sender().send(message("ida@äyriäinen.test", "S", "B", SENDER)));

        assertTrue(server.received.contains("RCPT TO:<ida@xn--yriinen-4wad.test>"), server.received::toString);
    }

    @Test
    void shouldCountOpensAndClicksOnlyIfWanted() throws Exception {
        GreenMail server = greenMail("smtp");
        configure("smtp://127.0.0.1:" + server.getSmtp().getPort());
        for (boolean isTracked : new boolean[] {false, true}) {
            var message = new OutgoingMessage(
                    new UUID(1, 4),
                    IDA,
                    NotificationChannel.EMAIL,
                    NotificationType.RECAP,
                    new Template.Text(
                            "S", "<p><a href=\"https://pool.example/a\">Go</a> <a href=\"{{user.name}}\">x</a>"),
                    Map.of("user", Map.of("email", "ida@example.test", "name", "https://evil.test/")),
                    SENDER,
                    Branding.NONE,
                    isTracked,
                    isTracked);
            assertInstanceOf(SendResult.Sent.class, sender().send(message));
        }

        String plain = html(server.getReceivedMessages()[0]);
        String tracked = html(server.getReceivedMessages()[1]);
        String token = "\"" + PUBLIC + "/m/([A-Za-z0-9_-]+)\"";
        assertFalse(Pattern.compile(token).matcher(plain).find(), plain);
        List<EmailToken.Content> contents = Pattern.compile(token)
                .matcher(tracked)
                .results()
                .map(found -> EmailToken.read(found.group(1), access))
                .toList();
        assertEquals(
                List.of(
                        new EmailToken.Content(IDA, new UUID(1, 4), "https://pool.example/a"),
                        new EmailToken.Content(IDA, new UUID(1, 4), null)),
                contents);
        for (String unchanged : List.of("href=\"" + PUBLIC + "/unsubscribe/", "href=\"https://evil.test/\"")) {
            assertTrue(plain.contains(unchanged) && tracked.contains(unchanged), tracked);
        }
    }

    private static String html(MimeMessage mail) throws Exception {
        return (String) ((MimeMultipart) mail.getContent()).getBodyPart(1).getContent();
    }

    @Test
    void shouldNotLetValuesWriteHeaders() throws Exception {
        GreenMail server = greenMail("smtp");
        configure("smtp://127.0.0.1:" + server.getSmtp().getPort());
        var named = new OutgoingMessage(
                new UUID(1, 3),
                IDA,
                NotificationChannel.EMAIL,
                NotificationType.RECAP,
                new Template.Text("{{x}}", "{{x}}\n.\n{{x}}"),
                Map.of(
                        "x",
                        "a\r\nBcc: evil@x.test\r\n\r\nbody\r\n.\r\nQUIT",
                        "user",
                        Map.of("email", "ida@example.test")),
                SENDER,
                Branding.NONE,
                false,
                false);

        assertInstanceOf(SendResult.Sent.class, sender().send(named));

        MimeMessage mail = server.getReceivedMessages()[0];
        assertNull(mail.getHeader("Bcc"));
        assertEquals("a Bcc: evil@x.test body . QUIT", mail.getSubject());
        assertEquals(1, mail.getAllRecipients().length);
        assertEquals(1, server.getReceivedMessages().length);
    }

    @Test
    void shouldNameTheMissingSetting() throws Exception {
        EmailSender sender = sender();
        assertRefused("Emails cannot be sent: email.smtpUrl is not set", sender.send(message()));

        secret(IDA.tenant(), Secret.SMTP_URL, "smtp://127.0.0.1:1");
        assertEquals(
                new SendResult.NotSent("There is no key yet for the link to unsubscribe."), sender.send(message()));
        assertRefused(
                "Emails cannot be sent: email.from is not set",
                sender.send(message("ida@example.test", "S", "B", Sender.NONE)));

        secret(IDA.tenant(), Secret.UNSUBSCRIBE, "0123");
        assertRefused("The user has no email address.", sender.send(message(null, "S", "B", SENDER)));
        assertRefused("The template must have a variable", sender.send(message("ida@example.test", "S", "{{", SENDER)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"smtp://u:pw@127.0.0.1:99999", "smtp://u:pw@127.0.0.1:0", "smtp:pw", "smtp://", "pw%"})
    void shouldRefuseAnInvalidServerWithoutRepeatingItsUrl(String smtpUrl) throws Exception {
        configure(smtpUrl);

        SendResult result = sender().send(message());

        assertRefused("email.smtpUrl must be an address of a mail server", result);
        assertFalse(result.toString().contains("pw"), result::toString);
    }

    @Test
    void shouldNotSendThePasswordIfTlsIsNotOffered() throws Exception {
        MailServerStandIn server = standIn().answering("EHLO", "250-hi\r\n250 AUTH PLAIN LOGIN");
        configure("smtp://u:pw@0.0.0.0:" + server.port());

        assertInstanceOf(SendResult.NotSent.class, sender().send(message()));

        assertTrue(server.received.stream().noneMatch(line -> line.startsWith("AUTH")), server.received::toString);
        assertEquals(1, server.connections());
    }

    @ParameterizedTest
    @ValueSource(strings = {"smtp://127.0.0.1:", "smtp://u:p@localhost:", "smtps://127.0.0.1:", "smtp://0.0.0.0:"})
    void shouldNotConnectToAddressesThatAreNotPublic(String url) throws Exception {
        MailServerStandIn server = standIn();
        configure(url + server.port());
        var guarded = new EmailSender(access, PUBLIC, new AddressGuard(false), () -> NOW, new Properties());
        open.add(guarded);

        var result = assertInstanceOf(SendResult.NotSent.class, guarded.send(message()));

        assertTrue(result.reason().contains("is not public"), result.reason());
        assertEquals(0, server.connections());
    }

    private static void assertRefused(String reason, SendResult result) {
        var refused = assertInstanceOf(SendResult.Refused.class, result);
        assertTrue(refused.reason().startsWith(reason), refused.reason());
        assertEquals(List.of(), refused.deadTokens());
    }

    @Test
    void shouldOfferOneClickOnlyOverTls() throws Exception {
        GreenMail server = greenMail("smtp");
        configure("smtp://127.0.0.1:" + server.getSmtp().getPort());

        sender("http://laurel.test", new Properties()).send(message());

        MimeMessage[] mails = server.getReceivedMessages();
        assertTrue(mails[0].getHeader("List-Unsubscribe", null).startsWith("<http://laurel.test/unsubscribe/"));
        assertNull(mails[0].getHeader("List-Unsubscribe-Post"));
    }

    @Test
    void shouldWithholdEmailsWithoutLinkToUnsubscribe() throws Exception {
        GreenMail server = greenMail("smtp");
        configure("smtp://127.0.0.1:" + server.getSmtp().getPort());
        EmailSender sender = sender("", new Properties());

        var result = assertInstanceOf(SendResult.NotSent.class, sender.send(message()));

        assertTrue(result.reason().contains("--public-url is not set"), result.reason());
        assertEquals(1, sender.withheldAttempts());
        assertEquals(0, server.getReceivedMessages().length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "smtp://mail.test|mail.test|587|false|-|-",
                "smtps://mail.test|mail.test|465|true|-|-",
                "SMTPS://u:p@mail.test:25|mail.test|25|true|u|p",
                "smtp://u%40v:a:b%3A@mail.test|mail.test|587|false|u@v|a:b:",
                "smtp://u@mail.test|mail.test|587|false|-|-"
            })
    void shouldReadUrls(String url, String host, int port, boolean isTls, String user, String password)
            throws Exception {
        var settings = SmtpSettings.of(url);

        assertEquals(new SmtpSettings(host, port, isTls, user, password), settings);
        assertEquals(host + ":" + port, settings.toString());
    }
}
