package dev.laurel.deploy.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,http://127.0.0.1:8080",
        "::1,http://[::1]:8080",
        "[::1],http://[::1]:8080",
        "localhost,http://localhost:8080"
    })
    void shouldFormatAUrl(String host, String url) {
        assertEquals(url, ServerAddress.toShare(host, 8080, false));
        assertEquals(8080, URI.create(ServerAddress.of(host, 8080, false)).getPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "[::]", "0"})
    void shouldNotShareAWildcardAddress(String host) {
        assertEquals("", ServerAddress.toShare(host, 8080, false));
    }

    @Test
    void shouldNotShareAnUnknownPort() {
        assertEquals("", ServerAddress.toShare("127.0.0.1", 0, false));
    }
}
