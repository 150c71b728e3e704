package dev.laurel.platform.access;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BootstrapKeyTest {

    private static final String KEY = "Abcd1234.0123456789abcdef";

    @Test
    void shouldAcceptItsKey() {
        assertEquals(ApiKeys.Principal.Admin.UNLIMITED, new BootstrapKey(KEY).grantOf(KEY, null).principal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Abcd1234", "Abcd1234.", "Abcd1234.0123456789abcdeF", "Abcd1234.0123456789abcdef ",
            "☃"})
    void shouldRefuseOtherKeys(String key) {
        assertNull(new BootstrapKey(KEY).grantOf(key, null));
    }

    @Test
    void shouldGenerateDifferentKeysOfTheRequiredForm() {
        String key = BootstrapKey.generate();

        assertTrue(key.matches("[A-Za-z0-9]{8}\\.[A-Za-z0-9]{44}"), key);
        assertNotEquals(key, BootstrapKey.generate());
        assertEquals(ApiKeys.Principal.Admin.UNLIMITED, new BootstrapKey(key).grantOf(key, null).principal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "Abcd1234.tooshort", "Abcd123.0123456789abcdef", "Abcd1234-0123456789abcdef",
            "Abcd1234.0123456789abcde\n", "app_1234.0123456789 abcdef"})
    void shouldRefuseKeysOfAnotherForm(String key) {
        assertThrows(IllegalArgumentException.class, () -> new BootstrapKey(key));
    }
}
