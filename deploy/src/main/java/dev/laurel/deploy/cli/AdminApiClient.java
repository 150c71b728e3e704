package dev.laurel.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.input.HeaderText;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A client of the admin API of one server, with a key. Thread-safe; blocks the caller. */
public final class AdminApiClient implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);

    private final URI server;
    private final @Nullable String key;
    private final HttpClient http;

    /** @param tls trust for an https server; null trusts the authorities of this JDK */
    public AdminApiClient(URI server, @Nullable String key, @Nullable SSLContext tls) {
        this.server = server;
        this.key = key;
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
        this.http = (tls == null ? client : client.sslContext(tls)).build();
    }

    public URI server() {
        return server;
    }

    /** Returns the query of an address, with its question mark; empty if there are no parameters. */
    public static String query(Map<String, String> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.entrySet().stream()
                        .map(one ->
                                URLEncoder.encode(one.getKey(), UTF_8) + "=" + URLEncoder.encode(one.getValue(), UTF_8))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** Whether this is the address of a host by http or https. */
    public static boolean isHttp(URI url) {
        return url.getHost() != null
                && ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()));
    }

    /**
     * @param path path from the root of the server, and the query
     * @param tenant customer id of the tenant; null: the request names none
     */
    public HttpRequest.Builder request(String path, @Nullable String tenant) {
        HttpRequest.Builder request = request(path);
        return tenant == null ? request : request.header("Tenant-ID", HeaderText.encoded(tenant));
    }

    /** @param path path from the root of the server, and the query */
    public HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create(base() + path)).timeout(RESPONSE_TIMEOUT);
        return key == null ? request : request.header("X-API-KEY", key);
    }

    /** The address of the server without a slash at its end. */
    public String base() {
        return server.toString().replaceFirst("/+$", "");
    }

    /** Reads the body of a response. @throws CommandFailed if it is not of this type */
    public <T> T read(byte[] body, Class<T> type) {
        try {
            return Json.read(body, type);
        } catch (JacksonException e) {
            throw new CommandFailed("the response of " + server + " is not that of a Laurel server of this version", e);
        }
    }

    public HttpResponse<byte[]> send(HttpRequest request) throws IOException {
        return send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body) throws IOException {
        try {
            return http.send(request, body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while waiting for " + server, e);
        }
    }

    /** Works like {@link #send}, for a command that cannot continue without the response. */
    public HttpResponse<byte[]> sendOrFail(HttpRequest request) {
        return sendOrFail(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Works like {@link #sendOrFail}, for a response that is read as it arrives; the caller closes the body. */
    public HttpResponse<InputStream> openOrFail(HttpRequest request) {
        return sendOrFail(request, HttpResponse.BodyHandlers.ofInputStream());
    }

    private <T> HttpResponse<T> sendOrFail(HttpRequest request, HttpResponse.BodyHandler<T> body) {
        try {
            return send(request, body);
        } catch (IOException e) {
            throw new CommandFailed("cannot reach a Laurel server at " + server + " (" + reason(e) + ")", e);
        }
    }

    /** Returns the reason of a failed call, for people. */
    public static String reason(IOException e) {
        return e.getMessage() == null ? "connection refused" : e.getMessage();
    }

    /** Describes a response that the command cannot continue with. */
    public CommandFailed unexpected(String path, HttpResponse<byte[]> response) {
        return unexpected(path, response.statusCode(), errorOf(response.body()));
    }

    /** @param error see {@link #errorOf} */
    public CommandFailed unexpected(String path, int status, String error) {
        return new CommandFailed(
                switch (status) {
                    case 401 -> server + " does not accept the key (401); give the admin key with --key";
                    case 403 -> server + " refuses the key (403): " + error;
                    case 404, 405 ->
                        server + " has no " + path + " (" + status
                                + "); --url must be the address of a standalone, a gateway or the ingress";
                    default -> server + " answered " + status + ": " + error;
                });
    }

    /** Returns the field {@code error} of a body. */
    public static String errorOf(byte[] body) {
        try {
            return Json.read(body, JsonNode.class).path("error").asString("no reason given");
        } catch (JacksonException _) {
            return "no reason given";
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
