package dev.laurel.schemas.http;

import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.ErrorBody;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.util.List;
import java.util.UUID;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of every role, with the conventions of application-api.md §1: one virtual thread per request, JSON
 * always, errors as {@code {"error": …}}, 404 and 405 told apart, a request id, a body limit, the key check.
 */
public final class HttpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final String REQUEST_ID = "X-Request-Id";
    private static final int MAX_REQUEST_ID_LENGTH = 128;
    private static final long STOP_TIMEOUT_MS = 10_000;
    private static final long IDLE_TIMEOUT_MS = 60_000;

    /** Where to listen. Port 0 takes any free one. */
    public record Address(String host, int port) {}

    private final Javalin javalin;

    private HttpServer(Javalin javalin) {
        this.javalin = javalin;
    }

    /** @param keys checked on every path but those of {@link #isOpen} */
    public static HttpServer start(Address address, ApiKeys keys, List<Routes> parts) {
        Javalin javalin = Javalin.create(config -> {
            configure(config);
            config.routes.before(context -> receive(context, keys));
            parts.forEach(part -> part.mount(config.routes));
        });
        javalin.start(address.host(), address.port());
        return new HttpServer(javalin);
    }

    public int port() {
        return javalin.port();
    }

    private static void configure(JavalinConfig config) {
        config.concurrency.useVirtualThreads = true;
        config.startup.showJavalinBanner = false;
        config.startup.startupWatcherEnabled = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.http.maxRequestSize = 1024 * 1024;
        config.http.prefer405over404 = true;
        config.http.defaultContentType = "application/json";
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.router.ignoreTrailingSlashes = true;
        config.jetty.modifyServer(server -> server.setStopTimeout(STOP_TIMEOUT_MS));
        config.jetty.modifyHttpConfiguration(http -> {
            // A user id may hold an encoded slash; it stays one segment.
            http.setUriCompliance(UriCompliance.UNSAFE);
            http.setSendServerVersion(false);
            http.setIdleTimeout(IDLE_TIMEOUT_MS);
        });
        config.jetty.modifyServletContextHandler(HttpServer::keepEncodedSlashes);
        config.routes.exception(HttpRefusal.class, (e, context) -> refuse(context, e));
        config.routes.exception(HttpResponseException.class,
                (e, context) -> error(context, e.getStatus(), sentence(e.getStatus())));
        config.routes.exception(Exception.class, (e, context) -> {
            LOG.error("request {} failed", context.res().getHeader(REQUEST_ID), e);
            error(context, 500, "Internal error; the request id is in the header " + REQUEST_ID + ".");
        });
    }

    private static void keepEncodedSlashes(ServletContextHandler handler) {
        handler.getServletHandler().setDecodeAmbiguousURIs(true);
    }

    private static void receive(Context context, ApiKeys keys) {
        String given = context.header(REQUEST_ID);
        boolean isUsable = given != null && given.length() <= MAX_REQUEST_ID_LENGTH
                && given.chars().allMatch(c -> c > ' ' && c < 127);
        context.header(REQUEST_ID, isUsable ? given : UUID.randomUUID().toString());
        if (isOpen(context.path())) {
            return;
        }
        String key = context.header("X-API-KEY");
        if (key == null || key.isEmpty()) {
            throw new HttpRefusal(401, "The header X-API-KEY is missing.");
        }
        if (keys.principalOf(key) == null) {
            throw new HttpRefusal(401, "The API key is not valid.");
        }
    }

    private static boolean isOpen(String path) {
        return path.equals("/healthz") || path.equals("/readyz") || path.equals("/v1/schemas")
                || path.startsWith("/v1/schemas/");
    }

    private static String sentence(int status) {
        return switch (status) {
            case 404 -> "No such route.";
            case 405 -> "This route does not have this method; see the header Allow.";
            case 413 -> "The body is too large: at most 1 MiB.";
            default -> "The request is not acceptable.";
        };
    }

    /** Answers with a refusal's status, message and Retry-After. */
    public static void refuse(Context context, HttpRefusal refusal) {
        if (refusal.retryAfterS() > 0) {
            context.header("Retry-After", Integer.toString(refusal.retryAfterS()));
        }
        error(context, refusal.status(), refusal.getMessage());
    }

    private static void error(Context context, int status, String message) {
        answer(context, status, Json.write(new ErrorBody(message)));
    }

    /** Answers with JSON that is written already. */
    public static void answer(Context context, int status, byte[] json) {
        context.status(status).contentType("application/json").result(json);
    }

    /** Finishes the requests in flight, up to ten seconds, and stops. */
    @Override
    public void close() {
        javalin.stop();
    }
}
