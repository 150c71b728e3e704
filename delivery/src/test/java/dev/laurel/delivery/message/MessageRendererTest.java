package dev.laurel.delivery.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.delivery.message.MessageRenderer.Rendered;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.Sender;
import dev.laurel.schemas.ruleset.Settings.Branding;
import dev.laurel.schemas.ruleset.Template;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageRendererTest {

    private static final String LINK = "https://laurel.test/unsubscribe/t0k-en_";
    private static final Sender SENDER = new Sender("team@swim.test", "Swim team", null);
    private static final Branding BRANDED = new Branding(
            "Swim & <Club>", "https://swim.test/?a=1&b=2", "https://swim.test/logo.png", "#123456", "Georgia", null);

    private static Rendered.Email email(
            String subject, String body, Map<String, Object> facts, Branding branding, String link) {
        return assertInstanceOf(
                Rendered.Email.class,
                MessageRenderer.of(
                        NotificationChannel.EMAIL, new Template.Text(subject, body), facts, SENDER, branding, link));
    }

    private static Rendered.Email email(String body, Map<String, Object> facts) {
        return email("Subject", body, facts, Branding.NONE, LINK);
    }

    private static Map<String, Object> named(String name) {
        return Map.of("user", Map.of("name", name));
    }

    @Test
    void shouldFramePlainText() {
        Rendered.Email email = email(
                "Well done, {{user.name}}!",
                "Hi {{user.name}},\nyou & I swam. See https://swim.test/a?b=1&c={{user.name}}.\n\n\nBye!",
                named("Ida"),
                BRANDED,
                LINK);

        assertEquals("Well done, Ida!", email.subject());
        assertEquals(
                "Hi Ida,\n"
                        + "you & I swam. See https://swim.test/a?b=1&c=Ida.\n\n\n"
                        + "Bye!\n\n"
                        + "-- \n"
                        + "Choose what you get, or unsubscribe: "
                        + LINK
                        + "\n",
                email.text());
        Document page = Jsoup.parse(email.html());
        assertEquals("Well done, Ida!", page.title());
        assertEquals(2, page.select("p").size());
        assertEquals(
                "Hi Ida, you & I swam. See https://swim.test/a?b=1&c=Ida.",
                page.select("p").first().text());
        assertEquals("https://swim.test/a?b=1&c=Ida", page.select("p a").attr("href"));
        assertEquals("https://swim.test/?a=1&b=2", page.select("a:has(img)").attr("href"));
        assertEquals("https://swim.test/logo.png", page.select("img").attr("src"));
        assertEquals("Swim & <Club>", page.select("img").attr("alt"));
        assertTrue(
                page.text()
                        .endsWith("This email is from Swim & <Club>. No more of these? Choose what you get, or"
                                + " unsubscribe"),
                page.text());
        assertEquals(LINK, page.select("a").last().attr("href"));
        assertTrue(email.html().contains("solid #123456") && email.html().contains("font-family:Georgia, Arial"));
        assertFalse(email.html().contains("<Club>"), email.html());
    }

    @Test
    void shouldShowTheNameOfTheSenderWithoutBranding() {
        Document page = Jsoup.parse(email("Hi", Map.of()).html());

        assertTrue(page.text().contains("Swim team Hi This email is from Swim team."), page.text());
        assertNull(page.selectFirst("img"));
        assertFalse(email("S", "Hi", Map.of(), BRANDED, null).html().contains("unsubscribe"));
        assertEquals("Hi\n", email("S", "Hi", Map.of(), BRANDED, null).text());
    }

    @Test
    void shouldShowTheIconOfTheApplicationWithoutALogo() {
        var branding = new Branding("Swim", null, null, "rgba(0, 0, 0, 0.5)", "BOOK_SERIF", "https://swim.test/i.png");

        String html = email("S", "Hi", Map.of(), branding, LINK).html();

        assertEquals("https://swim.test/i.png", Jsoup.parse(html).select("img").attr("src"));
        assertTrue(html.contains("solid #808080") && html.contains("font-family:Iowan Old Style, Palatino"), html);
        assertTrue(Jsoup.parse(html).text().startsWith("S Swim Hi"), html);
    }

    @Test
    void shouldDeriveThePlainTextOfHtml() {
        Rendered.Email email = email("""
            <h1>Your week</h1>
            <style>p { color: red }</style>
            <p>Hi {{user.name}},<br>you swam
              <b>far</b>: see <a href="https://swim.test/x?a=1&amp;b=2">your page</a>,
              <a href="https://swim.test">https://swim.test</a>.</p>
            <ul><li>Otter</li><li>Seal</li></ul><script>alert(1)</script><img src="x" alt="A pool">
            <table><tr><td>1</td><td>2</td></tr></table>\
            """, named("Ida <3 & co"));

        assertEquals("""
            Your week

            Hi Ida <3 & co,
            you swam far: see your page (https://swim.test/x?a=1&b=2), https://swim.test.

            - Otter
            - Seal

            A pool

            1 2

            --\s
            Choose what you get, or unsubscribe: https://laurel.test/unsubscribe/t0k-en_
            """, email.text());
        Document page = Jsoup.parse(email.html());
        assertEquals(
                "Ida <3 & co",
                page.select("p").first().textNodes().getFirst().text().substring(3, 14));
        assertNotNull(page.selectFirst("table[role=presentation]"), "a piece of a page gets the frame");
    }

    @Test
    void shouldAddOnlyTheLinkToAWholePage() {
        String page = "<!doctype html><html><body class=x><p>Hi {{user.name}}</p></body></html>";

        Rendered.Email email = email(page, named("</body><b>"));

        assertEquals(
                "<!doctype html><html><body class=x><p>Hi &lt;/body&gt;&lt;b&gt;</p>",
                email.html().substring(0, email.html().indexOf("<div")));
        assertTrue(
                email.html().endsWith("Choose what you get, or unsubscribe</a></div>\n</body></html>"), email.html());
        assertEquals(
                page.replace("{{user.name}}", ""),
                email("S", page, Map.of(), BRANDED, null).html());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<p>Hi|true",
                "\\n<!-- x --><p>|true",
                "<!DOCTYPE html>|true",
                "{{#user.name}}<b>x</b>{{/user.name}}|true",
                "<br/>|true",
                "I <3 you|false",
                "<3 you|false",
                "{{user.name}} <b>|false",
                "Hi <b>you</b>|false",
                "<ida@swim.test> wrote|false"
            })
    void shouldRecogniseHtmlByItsStart(String body, boolean isHtml) {
        assertEquals(isHtml, HtmlBody.isHtml(body.replace("\\n", " \n")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "' onmouseover='x",
                "{{user.name}}",
                "a\r\nBcc: b@c.test\r\n\r\n<html>",
                "\u0000\u001b\u2028x\u0085y",
                "<!--",
                "]]>",
                "https://evil.test/\"onclick=\"x"
            })
    void shouldEscapeHostileValues(String name) {
        for (String body : List.of(
                "Hi {{user.name}}",
                "<p title=\"{{user.name}}\">Hi {{user.name}}</p>",
                "<p title='{{user.name}}'>Hi</p>",
                "<html><body><p>{{user.name}}</body></html>")) {
            Rendered.Email email = email("{{user.name}}", body, named(name), BRANDED, LINK);
            Document page = Jsoup.parse(email.html());
            Document usual =
                    Jsoup.parse(email("x", body, named("Ida"), BRANDED, LINK).html());

            assertEquals(
                    usual.select("script, img, html, body").size(),
                    page.select("script, img, html, body").size(),
                    email.html());
            assertEquals(0, page.select("[onerror], [onclick], [onmouseover]").size(), email.html());
            assertTrue(
                    email.subject().chars().noneMatch(c -> Character.isISOControl(c) || c == 0x2028), email.subject());
        }
    }

    @Test
    void shouldKeepHeadingsShortAndOnOneLine() {
        var push = (Rendered.Push) MessageRenderer.of(
                NotificationChannel.PUSH,
                new Template.Text("a\t{{user.name}}\n b", "{{user.name}}\n<b>&"),
                named("🏊".repeat(2_000)),
                SENDER,
                Branding.NONE,
                null);

        assertEquals("a " + "🏊".repeat(126) + "…", push.title());
        assertEquals(1_999, push.body().length(), "no half of a pair");
        assertTrue(push.body().endsWith("🏊…"));
        assertEquals(
                "<b>&",
                ((Rendered.Push) MessageRenderer.of(
                                NotificationChannel.PUSH,
                                new Template.Text("t", "<b>&"),
                                Map.of(),
                                SENDER,
                                Branding.NONE,
                                null))
                        .body());
    }

    @Test
    void shouldRefuseTemplatesThatAreTooLargeOrTakeTooLong() {
        var facts = new HashMap<String, Object>();
        facts.put("list", Collections.nCopies(1_000, "x".repeat(1_000)));

        for (String body : List.of(
                "{{#list}}{{.}}{{/list}}", "<p>{{#list}}{{.}}{{/list}}", "{{#list}}{{#list}}{{/list}}{{/list}}")) {
            for (NotificationChannel channel : NotificationChannel.values()) {
                Rendered rendered =
                        MessageRenderer.of(channel, new Template.Text("s", body), facts, SENDER, BRANDED, LINK);

                assertInstanceOf(Rendered.Refused.class, rendered, body);
            }
        }
        assertEquals(
                new Rendered.Refused("The template must end the section {{#a}} by {{/a}}."),
                MessageRenderer.of(
                        NotificationChannel.EMAIL, new Template.Text("s", "{{#a}}"), facts, SENDER, BRANDED, null));
    }
}
