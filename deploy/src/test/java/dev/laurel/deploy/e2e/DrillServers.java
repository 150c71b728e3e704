package dev.laurel.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The servers of one role as the ingress treats them: checked every second, removed after two failures, otherwise
 * used in turn, as in {@code ingress/haproxy.cfg}.
 */
final class DrillServers implements AutoCloseable {

    private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(2);
    private static final int FALL = 2;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final List<Server> servers = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);

    private static final class Server {
        private final URI url;
        private volatile int failures;

        private Server(URI url) {
            this.url = url;
        }
    }

    /** Adds a server, which is considered ready. */
    void add(URI url) {
        var server = new Server(url);
        servers.add(server);
        Thread.ofVirtual().name("check-" + url.getPort()).start(() -> check(server));
    }

    private void check(Server server) {
        try {
            do {
                server.failures = isReady(server) ? 0 : server.failures + 1;
            } while (!over.await(CHECK_EVERY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isReady(Server server) throws InterruptedException {
        try {
            return http.send(
                                    HttpRequest.newBuilder(server.url.resolve("/readyz"))
                                            .timeout(CHECK_TIMEOUT)
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException _) {
            return false; // An unreachable server is not ready.
        }
    }

    /**
     * Sends a request to the next server.
     *
     * @param body null: a read
     * @throws IOException if no server is ready, or the server does not answer in time
     */
    JsonResponse send(String path, String body, Duration timeout, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(next().resolve(path))
                .timeout(timeout)
                .header("X-API-KEY", LaurelProcess.ADMIN_KEY);
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (body != null) {
            request.POST(BodyPublishers.ofString(body));
        }
        return JsonResponse.of(http.send(request.build(), BodyHandlers.ofByteArray()));
    }

    private URI next() throws IOException {
        List<Server> there =
                servers.stream().filter(server -> server.failures < FALL).toList();
        if (there.isEmpty()) {
            throw new IOException("no server is ready");
        }
        return there.get(Math.floorMod(turn.getAndIncrement(), there.size())).url;
    }

    @Override
    public void close() {
        over.countDown();
        http.shutdownNow();
    }
}
