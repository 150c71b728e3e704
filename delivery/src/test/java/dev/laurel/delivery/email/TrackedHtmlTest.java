package dev.laurel.delivery.email;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class TrackedHtmlTest {

    private static String tracked(String html) {
        return TrackedHtml.withLinks(html, target -> "T(" + target + ")");
    }

    @Test
    void shouldReplaceOnlyTargetsOfLinks() {
        assertEquals("""
            <!DOCTYPE html><HTML><body bgcolor=white>
            <A class=x HREF = 'T(https://a.example/?x=1&y=2)' title="https://a.example">Go</A >
            <a href=T(http://b.example)>b</a><img src="https://a.example/logo.png">
            <a href="mailto:ida@example.net">m</a> <a name=top>t</a> <a href="#top">u</a> <a href="/here">h</a>
            https://a.example <!-- <a href="https://a.example"> --></body></HTML>\
            """, tracked("""
                <!DOCTYPE html><HTML><body bgcolor=white>
                <A class=x HREF = 'https://a.example/?x=1&amp;y=2' title="https://a.example">Go</A >
                <a href=http://b.example>b</a><img src="https://a.example/logo.png">
                <a href="mailto:ida@example.net">m</a> <a name=top>t</a> <a href="#top">u</a> <a href="/here">h</a>
                https://a.example <!-- <a href="https://a.example"> --></body></HTML>\
                """));
    }

    @ParameterizedTest
    @CsvSource({
        "https://ä.example",
        "https://a.example/ä",
        "'https://a.example/x y'",
        "javascript:alert(1)",
        "//a.example",
        "https://",
        "https://a@b.example",
        "'https://a.example&#10;Set-Cookie: x'"
    })
    void shouldLeaveTargetsThatFitInNoHeader(String target) {
        String html = "<p><a href=\"" + target + "\">x</a></p>";

        assertEquals(html, tracked(html));
    }

    @Test
    void shouldLeaveWhatIsNotWanted() {
        String html = "<a href=\"https://a.example\">x</a>";

        assertEquals(html, TrackedHtml.withLinks(html, _ -> null));
    }

    @Test
    void shouldLimitTheLinks() {
        String html = IntStream.range(0, 250)
                .mapToObj(_ -> "<a href='http://a'>x</a>")
                .collect(Collectors.joining());

        assertEquals(200, tracked(html).split("T\\(", -1).length - 1);
        assertEquals(250, tracked(html).split("http://a", -1).length - 1);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "TrackedHtmlTest.shouldKnowTheServersThatTheOperatorNames.csv", delimiter = '|')
    void shouldKnowTheServersThatTheOperatorNames(String text, String target, boolean isNamed) {
        assertEquals(isNamed, TrackedHtml.namesServerOf(text, target));
    }

    @Test
    void shouldAddTheImageAtTheEndOfTheBody() {
        assertEquals(
                "<body>x<img src=\"u&amp;v\" width=\"1\" height=\"1\" alt=\"\" style=\"display:block\"></BODY></html>",
                TrackedHtml.withImage("<body>x</BODY></html>", "u&v"));
    }
}
