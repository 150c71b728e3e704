package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class KeysCheckTest {

    private static final UUID ID = UUID.fromString("0af76519-16cd-43dd-8448-eb211c80319c");
    private static final Instant NOW = Instant.parse("2027-06-01T00:00:00Z");
    private static final String DELETE = "curl -X DELETE -H \"X-API-KEY: $KEY\" 'http://n1/admin/v1/admin-api-keys?ids="
            + ID + "'";

    private final Deployment deployment = new Deployment();
    private final Diagnosis.Check check = ServerChecks::keys;

    KeysCheckTest() {
        deployment.at = NOW;
    }

    private void key(String status, String created, String lastUsed) {
        deployment.servers.add(new Facts.ServerFacts("http://n1", null, 200, 200, null, 200, null, null,
                List.of(new AdminKeyBody(ID, "CI", "abcdefgh", "admin", null, status, Instant.parse(created),
                        Optional.empty(),
                        lastUsed == null ? null : Instant.parse(lastUsed))),
                0));
    }

    @Test
    void shouldAcceptKeyInUse() {
        key("active", "2025-01-01T00:00:00Z", "2027-05-31T00:00:00Z");

        deployment.expectOk(check, "1 admin keys, none unused for 90 days");
    }

    @Test
    void shouldWarnOfKeyNoLongerUsed() {
        key("active", "2025-01-01T00:00:00Z", "2027-02-01T00:00:00Z");

        deployment.expectOnly(check, Status.warn, "abcdefgh (CI)", "was last used 120 days ago", DELETE);
    }

    @Test
    void shouldWarnOfOldKeyNeverUsed() {
        key("active", "2027-01-02T00:00:00Z", null);

        deployment.expectOnly(check, Status.warn, "abcdefgh (CI)", "was created 150 days ago and never used", DELETE);
    }

    @ParameterizedTest
    @CsvSource({"operator.M3SUuLURJbdymb77ghBNHgu4u2pJIIPNjc51ugLY20Gy,false",
            "operator.0f3a9c41d27be8560f1e2d3c4b5a69788796a5b4c3d2e1f0,false",
            "operator.changeme-changeme-changeme-changeme-changeme,true",
            "operator.0123456789abcdef0123456789abcdef0123456789abcdef,true",
            "operator.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb,true"})
    void shouldRecognizeGuessableKey(String text, boolean isGuessable) {
        assertEquals(new Facts.KeyFacts("operator", isGuessable), Facts.KeyFacts.of(text));
    }

    @Test
    void shouldFailForGuessableKey() {
        deployment.key = new Facts.KeyFacts("operator", true);

        deployment.expectOnly(check, Status.fail, "operator", "the admin key can be guessed",
                "start every process with a random one: --admin-key \"$(openssl rand -hex 4).$(openssl rand -hex 24)\"");
    }

    @Test
    void shouldIgnoreInactiveKey() {
        key("inactive", "2025-01-01T00:00:00Z", null);

        deployment.expectOk(check, "1 admin keys, none unused for 90 days");
    }
}
