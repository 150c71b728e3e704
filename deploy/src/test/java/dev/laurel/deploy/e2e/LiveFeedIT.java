package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Follows effects by Server-Sent Events. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LiveFeedIT {

    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        http.shutdownNow();
        http.close();
    }

    /** A connection to the feed. */
    private static final class Listener implements AutoCloseable {

        private final BufferedReader lines;
        private String id;

        Listener(BufferedReader lines) {
            this.lines = lines;
        }

        /** The next event: its name and its data. */
        String next() throws IOException {
            String name = null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    return name + " " + line.substring(6);
                }
            }
            throw new IOException("the feed has ended");
        }

        /** Reads until the feed says where the next one continues. */
        String nextId() throws IOException {
            id = null;
            for (String line = lines.readLine(); line != null && id == null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = line.substring(4);
                }
            }
            return id;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private Listener listen(LaurelInstance instance, String query, String lastId)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(instance.client().url() + "/admin/v1/analytics/live" + query))
                .header("X-API-KEY", instance.adminKey());
        if (lastId != null) {
            request.header("Last-Event-ID", lastId);
        }
        var response = http.send(request.build(), BodyHandlers.ofInputStream());
        assertEquals(200, response.statusCode());
        assertEquals(
                "text/event-stream;charset=utf-8",
                response.headers().firstValue("Content-Type").orElseThrow());
        return new Listener(new BufferedReader(new InputStreamReader(response.body(), UTF_8)));
    }

    @Test
    void shouldSendEffectsAndContinueAfterTheLastId(LaurelInstance instance) throws Exception {
        String id;
        try (Listener listener = listen(instance, "?user=live-1", null)) {
            assertTrue(listener.nextId().matches("[0-9a-z]+(,[0-9a-z]+)*"), listener.id);
            instance.client().record("live-2", "laps-swum", "1").expect(201);
            instance.client().record("live-1", "laps-swum", "40").expect(201);

            var effects = new ArrayList<String>(List.of(listener.next(), listener.next()));
            assertTrue(
                    effects.getFirst().startsWith("effect {\"type\":\"user.created\",\"user\":\"live-1\""),
                    effects::toString);
            id = listener.nextId();
        }
        instance.client().record("live-1", "dives", "1").expect(201);

        try (Listener listener = listen(instance, "?user=live-1&type=achievement.completed,streak.lost", id)) {
            assertTrue(listener.next().contains("\"achievementKey\":\"first-dive\""));
        }
    }

    @Test
    void shouldLimitEffectsPerSecondAndCountTheOthers(LaurelInstance instance) throws Exception {
        String start;
        try (Listener listener = listen(instance, "", null)) {
            start = listener.nextId();
        }
        for (int i = 0; i < 80; i++) {
            instance.client().record("many-" + i, "laps-swum", "1").expect(201);
        }

        try (Listener listener = listen(instance, "?type=user.created", start)) {
            int effects = 0;
            String event = listener.next();
            while (event.startsWith("effect ")) {
                effects++;
                event = listener.next();
            }
            assertEquals("50 omitted {\"count\":30}", effects + " " + event);
        }
    }

    /** All but the last follow from now on; that one catches up first. */
    @Test
    void shouldServeAHundredListeners(LaurelInstance instance) throws Exception {
        var listeners = new ArrayList<Listener>();
        try {
            listeners.add(listen(instance, "?user=hundred", null));
            String start = listeners.getFirst().nextId();
            instance.client().record("hundred", "dives", "1");
            assertTrue(listeners.getFirst().next().contains("user.created"));
            for (int i = 0; i < 98; i++) {
                listeners.add(listen(instance, "?user=hundred&type=streak.started", null));
                listeners.getLast().nextId();
            }
            listeners.add(listen(instance, "?user=hundred&type=user.created,streak.started", start));
            assertTrue(listeners.getLast().next().contains("user.created"));
            instance.client().record("hundred", "laps-swum", "1");

            for (Listener listener : listeners.subList(1, listeners.size())) {
                String next = listener.next();
                assertTrue(next.contains("\"type\":\"streak.started\",\"user\":\"hundred\""), next);
            }
        } finally {
            for (Listener listener : listeners) {
                listener.close();
            }
        }
    }

    @Test
    void shouldRefuseAnUnknownType(LaurelInstance instance) {
        String error = instance.client()
                .get("/admin/v1/analytics/live?type=streak.begun")
                .expectError(422);

        assertTrue(error.startsWith("type has 'streak.begun', must be one or more of user.created, "), error);
    }
}
