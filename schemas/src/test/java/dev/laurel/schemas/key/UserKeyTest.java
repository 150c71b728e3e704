package dev.laurel.schemas.key;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserKeyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"swimmer-77", "a/b", "/", "//", "%", "%%2F", "%2F", "100%", "%25", "👩‍🚀/☃", " ", "a@1", "\n"})
    void shouldReadBackWhatItWrites(String part) {
        var user = UserKey.of(part);
        var tenantUser = new UserKey(new TenantId(part), new UserId(part));

        assertEquals(user, UserKey.parse(user.text()));
        assertEquals(user, UserKey.parse(user.bytes()));
        assertEquals(tenantUser, UserKey.parse(tenantUser.bytes()));
        assertNotEquals(user.text(), tenantUser.text());
    }

    @ParameterizedTest
    @CsvSource({"'', u, u", "acme, u, acme/u", "a/c, 50%, a%2Fc/50%25", "'', a/b, a%2Fb"})
    void shouldKeepItsTextForm(String tenant, String user, String text) {
        assertEquals(text, new UserKey(new TenantId(tenant), new UserId(user)).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/u", "t/", "a/b/c", "%", "100%", "%2", "%41", "a%2Gb", "t/%"})
    void shouldRefuseInvalidText(String text) {
        assertThrows(IllegalArgumentException.class, () -> UserKey.parse(text));
    }

    /** Kafka would hash a second spelling to another partition, which splits the state of the user. */
    @Test
    void shouldRefuseASecondSpellingOfTheSameUser() {
        assertThrows(IllegalArgumentException.class, () -> UserKey.parse("a%2fb"));
    }

    @Test
    void shouldRefusePartsThatAreTooLong() {
        assertThrows(IllegalArgumentException.class, () -> UserKey.parse("u".repeat(256)));
        assertThrows(IllegalArgumentException.class, () -> UserKey.parse("t".repeat(256) + "/u"));
    }

    /** Lenient decoding would merge different ids that are not UTF-8 into one user. */
    @Test
    void shouldRefuseBytesThatAreNotUtf8() {
        assertThrows(IllegalArgumentException.class, () -> UserKey.parse("j\u00fcrgen".getBytes(ISO_8859_1)));
        assertEquals(UserKey.of("j\u00fcrgen"), UserKey.parse("j\u00fcrgen".getBytes(UTF_8)));
    }

    @Test
    void shouldRefuseTenantsWithUnpairedSurrogates() {
        assertThrows(IllegalArgumentException.class, () -> new TenantId("\ud83d"));
    }
}
