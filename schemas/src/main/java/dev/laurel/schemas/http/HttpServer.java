package dev.laurel.schemas.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.util.JavalinException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The HTTP server of every role, with the conventions of application-api.md §1: one virtual thread per request, JSON
 * always, errors as {@code {"error": …}}, 404 and 405 told apart, a request id, a body limit, the key check. What is below
 * {@code /admin} is for admin keys only; a route learns who calls from {@link Caller#of}.
 */
public final class HttpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    static final String REQUEST_ID = "X-Request-Id";

    /** The name under which log lines know the request. */
    static final String REQUEST_ID_IN_LOG = "requestId";
    private static final long STOP_TIMEOUT_MS = 10_000;
    private static final long IDLE_TIMEOUT_MS = 60_000;

    /** A year: RFC 6797 §11.2. */
    private static final long STRICT_TRANSPORT_S = 365L * 24 * 3600;

    /**
     * A user id may hold anything, an encoded slash too, and stays one segment. What is no UTF-8 is refused: replaced
     * characters would make two ids one.
     */
    private static final UriCompliance URIS = UriCompliance.UNSAFE.without("laurel", Violation.UTF16_ENCODINGS,
            Violation.BAD_UTF8_ENCODING, Violation.TRUNCATED_UTF8_ENCODING, Violation.BAD_PERCENT_ENCODING,
            Violation.USER_INFO);

    /** Where to listen. Port 0 takes any free one. */
    public record Address(String host, int port) {}

    private final Javalin javalin;
    private final SlowClients slowClients;
    private final HttpMeters meters;
    private final ServerCertificate certificate;

    private HttpServer(Javalin javalin, SlowClients slowClients, HttpMeters meters, ServerCertificate certificate) {
        this.javalin = javalin;
        this.slowClients = slowClients;
        this.meters = meters;
        this.certificate = certificate;
    }

    /** Serves with the usual settings. */
    public static HttpServer start(Address address, ApiKeys keys, List<Routes> parts) {
        return start(HttpSettings.at(address), keys, parts);
    }

    /**
     * @param keys checked on every path but those that are open
     * @throws IllegalStateException if the address cannot be listened on, or the certificate cannot be used, with the reason in
     *         one line
     */
    public static HttpServer start(HttpSettings settings, ApiKeys keys, List<Routes> parts) {
        Address address = settings.address();
        var meters = new HttpMeters(settings.metrics());
        ServerCertificate certificate = settings.tls() == null ? null : new ServerCertificate(settings.tls());
        var reception = new Reception(keys, settings);
        Javalin javalin = Javalin.create(config -> {
            configure(config, meters);
            if (certificate != null) {
                config.jetty.addConnector((server, http) -> tlsConnector(server, http, address, certificate));
            }
            config.jetty.modifyServletContextHandler(handler -> configure(handler, settings, meters));
            config.requestLogger.http((context, tookMs) -> {
                TraceFilter.note(context);
                meters.answered(context, tookMs);
                AccessLog.write(context, tookMs);
                MDC.remove(REQUEST_ID_IN_LOG);
            });
            config.routes.get("/metrics", meters::write);
            config.routes.before(context -> reception.receive(context));
            parts.forEach(part -> part.mount(config.routes));
        });
        try {
            javalin.start(address.host(), address.port());
        } catch (JavalinException e) {
            // Javalin takes every failed bind for a port in use; the innermost cause knows better.
            closeIfThere(certificate);
            meters.close();
            Throwable reason = e;
            while (reason.getCause() != null) {
                reason = reason.getCause();
            }
            throw new IllegalStateException("cannot listen on " + address.host() + ":" + address.port() + ": "
                    + (reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage()), e);
        }
        var slowClients = new SlowClients(settings.slowClients());
        slowClients.watch(javalin.jettyServer().server().getConnectors());
        return new HttpServer(javalin, slowClients, meters, certificate);
    }

    /** Clients are told to come by TLS only from then on. Whether the name is that of the certificate is theirs to check. */
    private static Connector tlsConnector(Server server, HttpConfiguration http, Address address,
            ServerCertificate certificate) {
        var tls = new SslContextFactory.Server();
        tls.setSslContext(certificate.context());
        tls.setIncludeProtocols(ServerCertificate.protocols());
        http.addCustomizer(new SecureRequestCustomizer(false, false, STRICT_TRANSPORT_S, false));
        var connector = new ServerConnector(server,
                new SslConnectionFactory(tls, HttpVersion.HTTP_1_1.asString()), new HttpConnectionFactory(http));
        connector.setHost(address.host());
        connector.setPort(address.port());
        return connector;
    }

    private static void closeIfThere(ServerCertificate certificate) {
        if (certificate != null) {
            certificate.close();
        }
    }

    public int port() {
        return javalin.port();
    }

    /** What is mounted, as method and path: {@code GET /v1/users/{id}}. */
    public List<String> routes() {
        return javalin.unsafe.internalRouter.allHttpHandlers().stream().map(parsed -> parsed.endpoint)
                .filter(endpoint -> endpoint.method.isHttpMethod())
                .map(endpoint -> endpoint.method.name() + " " + endpoint.path).toList();
    }

    private static void configure(JavalinConfig config, HttpMeters meters) {
        config.concurrency.useVirtualThreads = true;
        config.startup.showJavalinBanner = false;
        config.startup.startupWatcherEnabled = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.http.maxRequestSize = BodyLimits.MAX_BODY_BYTES;
        config.http.prefer405over404 = true;
        config.http.defaultContentType = "application/json";
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.router.ignoreTrailingSlashes = true;
        config.jetty.modifyServer(server -> {
            server.setStopTimeout(STOP_TIMEOUT_MS);
            server.setErrorHandler(new JsonErrorHandler(meters));
        });
        config.jetty.modifyHttpConfiguration(http -> {
            http.setUriCompliance(URIS);
            http.setSendServerVersion(false);
            http.setIdleTimeout(IDLE_TIMEOUT_MS);
        });
        ErrorAnswers.configure(config);
    }

    private static void configure(ServletContextHandler handler, HttpSettings settings, HttpMeters meters) {
        handler.setErrorHandler(new JsonErrorHandler(meters));
        handler.addFilter(meters::follow, "/*", EnumSet.of(DispatcherType.REQUEST)).setAsyncSupported(true);
        if (settings.tracing().isOn()) {
            handler.addFilter(new TraceFilter(settings.tracing()), "/*", EnumSet.of(DispatcherType.REQUEST))
                    .setAsyncSupported(true);
        }
        handler.addFilter(HttpServer::refuseWebSocket, "/*", EnumSet.of(DispatcherType.REQUEST))
                .setAsyncSupported(true);
        handler.addFilter(
                (request, response, chain) -> chain.doFilter(PlainMethod.of((HttpServletRequest) request), response),
                "/*", EnumSet.of(DispatcherType.REQUEST)).setAsyncSupported(true);
        if (settings.adminHost() != null) {
            handler.addFilter(new AdminHost(settings.adminHost()), "/*", EnumSet.of(DispatcherType.REQUEST))
                    .setAsyncSupported(true);
        }
        handler.getServletHandler().setDecodeAmbiguousURIs(true);
    }

    /** Javalin makes a session for every attempt at a WebSocket, before any check of the key. */
    private static void refuseWebSocket(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (((HttpServletRequest) request).getHeader("Sec-WebSocket-Version") == null) {
            chain.doFilter(request, response);
        } else {
            ((HttpServletResponse) response).sendError(404);
        }
    }

    /** Answers with a refusal's status, message and Retry-After. */
    public static void refuse(Context context, HttpRefusal refusal) {
        if (refusal.retryAfterS() > 0) {
            context.header("Retry-After", Integer.toString(refusal.retryAfterS()));
        }
        ErrorAnswers.error(context, refusal.status(), refusal.getMessage());
    }

    /** Answers with JSON that is written already. */
    public static void answer(Context context, int status, byte[] json) {
        AccessLog.noteSize(context, json.length);
        context.status(status).contentType("application/json").result(json);
    }

    /** Answers with a page for people, in UTF-8. */
    public static void answerPage(Context context, int status, byte[] html) {
        AccessLog.noteSize(context, html.length);
        context.status(status).contentType("text/html; charset=utf-8").result(html);
    }

    /** Finishes the requests in flight, up to ten seconds, and stops. */
    @Override
    public void close() {
        try {
            javalin.stop();
        } catch (JavalinException e) {
            // It has stopped all the same.
            if (!(e.getCause() instanceof TimeoutException)) {
                throw e;
            }
            LOG.warn("connections that took longer than ten seconds to end were cut off");
        } finally {
            slowClients.close();
            meters.close();
            closeIfThere(certificate);
        }
    }
}
