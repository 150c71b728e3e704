package dev.laurel.deploy.tools;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** Calls of the admin API of a server, with a key. Thread-safe; blocks. */
public final class ServerCalls implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private final URI server;
    private final String key;
    private final HttpClient http;

    /** @param tls whom an https server must be vouched for by; null: by those that Java knows */
    public ServerCalls(URI server, String key, SSLContext tls) {
        this.server = server;
        this.key = key;
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
        this.http = (tls == null ? client : client.sslContext(tls)).build();
    }

    public URI server() {
        return server;
    }

    /** @param path with what follows it, from the root of the server */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.toString().replaceFirst("/+$", "") + path))
                .timeout(ANSWER_TIMEOUT).header("X-API-KEY", key);
    }

    public HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Why there was no answer, for people. */
    public static String reason(IOException e) {
        return e.getMessage() == null ? "connection refused" : e.getMessage();
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
