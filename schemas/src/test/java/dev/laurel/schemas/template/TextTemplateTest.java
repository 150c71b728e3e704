package dev.laurel.schemas.template;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.ruleset.Template.TemplateSyntax;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.template.TextTemplate.Markup;
import dev.laurel.schemas.template.TextTemplate.UnrenderableException;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class TextTemplateTest {

    private static final int MAX = 1_000;
    private static final Map<String, Object> FACTS = facts("""
        {"user": {"name": "Ida <b>&\\"'", "attributes": {"best-pool": "Itä"}, "email": null, "nick": ""},
         "total": 12.50, "count": 0, "isNew": true, "isOld": false, "days": ["mon", "tue", null],
         "awards": [{"name": "Otter"}, {"name": "<Seal>"}], "none": [], "template": "{{user.name}}"}\
        """);

    @SuppressWarnings("unchecked") // names in JSON are strings
    private static Map<String, Object> facts(String json) {
        return (Map<String, Object>) Json.readTree(json.getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "TextTemplateTest.shouldRenderVariablesAndSections.csv",
            delimiter = '|',
            quoteCharacter = '`')
    void shouldRenderVariablesAndSections(String template, String text) throws Exception {
        assertEquals(text, TextTemplate.plain(template, FACTS, MAX));
    }

    @Test
    void shouldEscapeValuesButNotMarkupInHtml() throws Exception {
        assertEquals(
                "<a title=\"Ida &lt;b&gt;&amp;&quot;&#39;\">&lt;Seal&gt;</a>",
                TextTemplate.html(
                        "<a title=\"{{user.name}}\">{{#awards}}{{^x}}{{/x}}{{/awards}}&lt;Seal&gt;</a>", FACTS, MAX));
        assertEquals("<i>&lt;i&gt;", TextTemplate.html("{{a}}{{b}}", Map.of("a", new Markup("<i>"), "b", "<i>"), MAX));
    }

    @Test
    void shouldRemoveControlCharactersFromValues() throws Exception {
        var hostile = Map.of("name", "a\r\nBcc: b\u0000\u001b[1m\tc\rd");

        assertEquals("a\nBcc: b[1m\tcd", TextTemplate.plain("{{name}}", hostile, MAX));
    }

    @Test
    void shouldWriteNumbersWithoutExponentsAndTrailingZeros() throws Exception {
        assertEquals(
                "1000000 1 0.1 12",
                TextTemplate.plain(
                        "{{a}} {{b}} {{c}} {{d}}",
                        Map.of(
                                "a",
                                new BigDecimal("1E+6"),
                                "b",
                                new BigDecimal("1.00"),
                                "c",
                                new BigDecimal("0.10"),
                                "d",
                                12),
                        MAX));
    }

    @Test
    void shouldRefuseTextThatIsTooLong() throws Exception {
        assertEquals(
                MAX,
                TextTemplate.plain("{{a}}", Map.of("a", "x".repeat(MAX)), MAX).length());

        var e = assertThrows(
                UnrenderableException.class, () -> TextTemplate.plain("{{a}}y", Map.of("a", "x".repeat(MAX)), MAX));
        assertEquals("The text is longer than 1000 characters.", e.getMessage());
    }

    /** Neither template writes any text. */
    @ParameterizedTest
    @CsvSource({"{{#l}}{{#l}}{{#l}}{{#l}}{{/l}}{{/l}}{{/l}}{{/l}}", "{{#l}}{{#l}}{{nothing}}{{/l}}{{/l}}"})
    void shouldRefuseTemplatesThatTakeTooMuchWork(String template) {
        var values = Map.of("l", Collections.nCopies(1_000, "x"));

        var e = assertThrows(UnrenderableException.class, () -> TextTemplate.plain(template, values, MAX));
        assertTrue(e.getMessage().startsWith("The template takes too much work"), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "{{",
        "{{}}",
        "{{{a}}}",
        "{{&a}}",
        "{{>/etc/passwd}}",
        "{{<a}}{{/a}}",
        "{{=<% %>=}}",
        "{{#a}}",
        "{{/a}}",
        "{{! a}}",
        "{{$a}}{{/a}}",
        "{{-first}}"
    })
    void shouldRefuseOtherSyntax(String template) {
        assertThrows(UnrenderableException.class, () -> TextTemplate.plain(template, FACTS, MAX));
    }

    /** The library must render every template that the syntax allows; otherwise, a message would stop its task. */
    @Test
    void shouldRenderEveryTemplateThatTheSyntaxAllows() throws Exception {
        var random = new SplittableRandom(7);
        List<String> pieces = List.of(
                "{{",
                "}}",
                "{",
                "}",
                "#",
                "/",
                "^",
                "a",
                "user.name",
                " ",
                "\n",
                "<",
                "{{a}}",
                "{{#days}}",
                "{{/days}}",
                "{{^none}}",
                "{{/none}}",
                "{{.}}",
                "=",
                "!",
                ">",
                "&");
        int allowed = 0;
        for (int i = 0; i < 200_000; i++) {
            var text = new StringBuilder();
            for (int length = random.nextInt(1, 9); length > 0; length--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            if (TemplateSyntax.problemWith(text.toString()) == null) {
                TextTemplate.html(text.toString(), FACTS, MAX);
                allowed++;
            }
        }
        assertTrue(allowed > 10_000, "only " + allowed);
    }
}
