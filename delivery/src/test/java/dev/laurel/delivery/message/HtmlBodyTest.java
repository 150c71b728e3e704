package dev.laurel.delivery.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlBodyTest {

    @ParameterizedTest
    @ValueSource(strings = {"&nbsp;", "&nbsp; ", " "})
    void shouldReadLongRunsOfSpaces(String space) {
        String html = "<p>a" + space.repeat(500_000) + "b</p>";

        // With a time that grows with the square, this would take many minutes.
        String plain = HtmlBody.toPlain(html);

        assertTrue(plain.startsWith("a") && plain.endsWith("b"));
    }

    @Test
    void shouldMergeBlankLines() {
        assertEquals("a\n\nb", HtmlBody.toPlain("a&nbsp; <br> &nbsp;<br>\n<br> b"));
        assertEquals("a\nb c", HtmlBody.toPlain("a <br>\n&nbsp; b&nbsp;&nbsp;c"));
    }
}
