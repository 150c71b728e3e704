package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.Test;

final class LaurelClientTest {

    @Test
    void shouldReadAgainWhatIsNotServedYet() throws Exception {
        try (var server = new MockWebServer();
                var client = new LaurelClient("http://localhost:" + start(server), null)) {
            var busy = answer(503, "{\"error\":\"The user's node does not answer.\"}")
                    .setHeader("Retry-After", "0")
                    .build();
            server.enqueue(busy);
            server.enqueue(busy);
            server.enqueue(answer(404, "{\"error\":\"No such user.\"}").build());

            assertEquals(404, client.get("/v1/users/ida").status());
            assertEquals(3, server.getRequestCount());
        }
    }

    private static int start(MockWebServer server) throws Exception {
        server.start();
        return server.getPort();
    }

    private static MockResponse.Builder answer(int status, String body) {
        return new MockResponse.Builder()
                .code(status)
                .body(body)
                .setHeader("Content-Type", "application/json")
                .setHeader("X-Request-Id", "r1");
    }
}
