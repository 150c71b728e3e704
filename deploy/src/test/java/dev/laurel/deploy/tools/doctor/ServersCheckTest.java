package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ServersCheckTest {

    private static final String URL = "http://n1:8080";

    private final Deployment deployment = new Deployment();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 | 200 | 200 | ok   | is ready and accepts the admin key
            200 | 200 | 404 | ok   | is ready and accepts the admin key
            200 | 200 | 405 | ok   | is ready and accepts the admin key
            200 | 200 | 401 | fail | does not accept the admin key
            200 | 200 | 403 | fail | refuses the key: This is so.
            200 | 200 | 0   | warn | is ready; nothing else was checked, because there is no admin key
            200 | 503 | 200 | fail | is not ready: answers 503 to /readyz
            404 | 404 | 404 | fail | answers 404 to /healthz
            """)
    void shouldEvaluateResponses(int health, int ready, int key, Status status, String message) {
        deployment.servers.add(new Facts.ServerFacts(URL, null, health, ready, null, key,
                key == 403 ? "This is so." : null, null, null, 0));

        var finding = deployment.findingsOf(ServerChecks::servers).getFirst();
        assertEquals(status, finding.status());
        assertEquals(message, finding.message());
        assertEquals(status == Status.ok, finding.fix() == null);
    }

    @Test
    void shouldWarnIfTheKeyIsNotForAll() {
        deployment.servers.add(new Facts.ServerFacts(URL, null, 200, 200, null, 200, "This is so.", null, null, 0));

        deployment.expectOnly(ServerChecks::servers, Status.warn, URL,
                "is ready; the admin keys were not checked: This is so.",
                "give a key that is bound to no tenant, with --key");
    }

    @Test
    void shouldFailIfServerIsUnreachable() {
        deployment.servers.add(Facts.ServerFacts.unreachable(URL, "connection refused"));

        deployment.expectOnly(ServerChecks::servers, Status.fail, URL,
                "cannot be reached: connection refused",
                "start the process, or give its address with --url");
    }

    @Test
    void shouldFailIfEmailsAreWithheld() {
        deployment.servers.add(new Facts.ServerFacts(URL, null, 200, 200, null, 200, null, null, null, 3));

        var finding = deployment.findingsOf(ServerChecks::servers).getFirst();
        assertEquals(Status.fail, finding.status());
        assertEquals("withholds emails, because they would have no link to unsubscribe", finding.message());
    }

    @Test
    void shouldReturnNothingWithoutServers() {
        assertEquals(List.of(), deployment.findingsOf(ServerChecks::servers));
    }
}
