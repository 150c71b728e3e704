package dev.laurel.schemas.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTextTest {

    /** What the server passes of a header that a client sends in this encoding. */
    private static String sent(String text, Charset encoding) {
        return new String(text.getBytes(encoding), ISO_8859_1);
    }

    @Test
    void shouldReadUtf8AndLatin1() {
        for (String text : List.of("acme", "Zürich", "clé-7", "a b", "100%", "Ü")) {
            for (Charset encoding : List.of(UTF_8, ISO_8859_1)) {
                assertEquals(text, HeaderText.decoded(sent(text, encoding)), () -> text + " in " + encoding);
            }
        }
        assertEquals("東京😀", HeaderText.decoded(sent("東京😀", UTF_8)));
        // An encoded surrogate is not UTF-8.
        assertEquals("í\u00a0\u0080", HeaderText.decoded("í\u00a0\u0080"));
    }

    @ParameterizedTest
    @CsvSource({
        "UTF-8''Z%C3%BCrich, Zürich",
        "utf-8''z%c3%bcrich, zürich",
        "UTF-8''%E6%9D%B1%E4%BA%AC, 東京",
        "UTF-8''acme, acme",
        "Utf-8''a!*(b)~c, a!*(b)~c",
        "UTF-8''%20a%20, ' a '",
        "UTF-8''%F0%9F%98%80, 😀",
        "UTF-8''UTF-8%27%27x, UTF-8''x",
        "UTF-8'', ''",
        "UTF-8'de'Z%C3%BCrich, UTF-8'de'Z%C3%BCrich"
    })
    void shouldReadTheAsciiForm(String header, String text) {
        assertEquals(text, HeaderText.decoded(header));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UTF-8''%",
                "UTF-8''%C",
                "UTF-8''a%C3",
                "UTF-8''%zz",
                "UTF-8''%C3%28",
                "UTF-8''%C0%AF",
                "UTF-8''%ED%A0%80",
                "UTF-8''a b",
                "UTF-8''ü",
                "UTF-8''%+1",
                "UTF-8''%FF",
                "UTF-8''a%4"
            })
    void shouldRefuseAnAsciiFormThatIsNotPercentEncodedUtf8(String header) {
        assertNull(HeaderText.decoded(header));
    }

    @Test
    void shouldReadBackWhatItWrites() {
        for (String text : List.of(
                "Zürich",
                "東京",
                "😀",
                " a ",
                "a\tb",
                "two\nlines",
                "UTF-8''x",
                "utf-8''",
                "a*b+c%/ü",
                "acme\u00a0",
                "\u0000")) {
            String header = HeaderText.encoded(text);

            assertTrue(header.startsWith("UTF-8''") && header.chars().allMatch(c -> c > ' ' && c < 127), header);
            assertEquals(text, HeaderText.decoded(header));
        }
        for (String plain : List.of("acme", "a b", "100%", "it's", "a*b+c", "UTF-8'x")) {
            assertEquals(plain, HeaderText.encoded(plain));
            assertEquals(plain, HeaderText.decoded(plain));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " a",
                "a ",
                "\ta",
                "a\u00a0",
                "\u2007a",
                "\u3000",
                "a\u2028",
                "a\nb",
                "a\tb",
                "a\u0085b",
                "a\u007f",
                "UTF-8''a",
                "utf-8''"
            })
    void shouldFindNamesThatAHeaderCannotCarry(String name) {
        assertNotNull(HeaderText.problemWith(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a b", "Zürich", "東京", "😀", "a\u00a0b", "UTF-8", ".", "100%"})
    void shouldAcceptNamesThatAHeaderCanCarry(String name) {
        assertNull(HeaderText.problemWith(name));
    }
}
