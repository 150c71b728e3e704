package dev.laurel.schemas.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserIdTest {

    @ParameterizedTest
    @ValueSource(strings = {"u", " ", "a/b%c", "☃", "👩‍🚀", "\u0000", "{\"id\":1}"})
    void shouldAcceptAnyValidUnicodeText(String id) {
        assertNull(UserId.problemWith(id));
        assertEquals(id, new UserId(id).toString());
    }

    @Test
    void shouldAcceptAtMost255Characters() {
        assertNull(UserId.problemWith("x".repeat(255)));
        assertEquals("must have at most 255 characters, has 256", UserId.problemWith("x".repeat(256)));
    }

    @Test
    void shouldRefuseNewIdsThatNoPathCanHave() {
        assertEquals("must not contain the character U+0000", UserId.problemWithNew("a\0b"));
        for (String id : List.of(".", "..")) {
            assertEquals("must not be . or .., which clients and proxies take out of paths", UserId.problemWithNew(id));
            assertNull(UserId.problemWith(id));
        }
        assertNull(UserId.problemWithNew("..."));
    }

    @Test
    void shouldRefuseEmptyText() {
        assertEquals("must not be empty", UserId.problemWith(""));
        assertThrows(IllegalArgumentException.class, () -> new UserId(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "a\ud83d", "\ude80", "\ude80\ud83d", "\ud83d\ud83d\ude80"})
    void shouldRefuseUnpairedSurrogates(String id) {
        assertEquals("must be valid Unicode text", UserId.problemWith(id));
    }

    @Test
    void shouldBeInTheOrderOfItsBytes() {
        List<UserId> ids = Stream.of(
                        "",
                        "a",
                        "a\u0000",
                        "b",
                        "aa",
                        "\u007f",
                        "\u0080",
                        "\ud7ff",
                        "\ue000",
                        "\uff61x",
                        "\uffff",
                        "\ud83d\ude00",
                        "\ud83d\ude00x",
                        "\ud83d\ude01",
                        "\udbff\udfff",
                        "\ud800\udc00")
                .map(end -> new UserId("u" + end))
                .toList();
        for (UserId one : ids) {
            for (UserId other : ids) {
                assertEquals(
                        Integer.signum(Arrays.compareUnsigned(
                                one.value().getBytes(UTF_8), other.value().getBytes(UTF_8))),
                        Integer.signum(one.compareTo(other)),
                        one + " and " + other);
            }
        }
    }
}
