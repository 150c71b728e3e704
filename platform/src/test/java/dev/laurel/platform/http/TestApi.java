package dev.laurel.platform.http;

import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.http.RouteTable.Routes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** A server with some routes on a free port, and a client of it. */
public final class TestApi implements AutoCloseable {

    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    public TestApi(ApiKeys keys, Routes... routes) {
        server = TestServer.start(new HttpSettings.Address("127.0.0.1", 0), keys, List.of(routes));
    }

    /** @param headers names and values, in turn */
    public HttpResponse<String> get(String path, String key, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("X-API-KEY", key);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
