package dev.laurel.schemas.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTest {

    @Test
    void shouldMakeDifferentAdminKeysOfTheRequiredForm() {
        String key = ApiKey.newAdminKey(new SecureRandom()).text();

        assertTrue(key.matches("[A-Za-z0-9]{8}\\.[A-Za-z0-9]{44}"), key);
        assertNotEquals(key, ApiKey.newAdminKey(new SecureRandom()).text());
        assertEquals(key, ApiKey.givenAdminKey(key).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "short",
                "Abcd1234.tooshort",
                "Abcd123.0123456789abcdef",
                "Abcd1234-0123456789abcdef",
                "Abcd1234.0123456789abcde\n",
                "app_1234.0123456789 abcdef"
            })
    void shouldRefuseKeysOfAnotherForm(String key) {
        assertThrows(IllegalArgumentException.class, () -> ApiKey.givenAdminKey(key));
    }
}
