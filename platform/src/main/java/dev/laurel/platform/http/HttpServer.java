package dev.laurel.platform.http;

import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings.Address;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.platform.trace.Tracing.Span;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import io.javalin.util.JavalinException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The HTTP server of every role, with the conventions of docs/application-api.md §1: one virtual thread per request,
 * JSON bodies only, errors as {@code {"error": …}}, 404 distinguished from 405, request ids, a limit on the body size,
 * and the key check. Paths below {@code /admin} require an admin key or a session, and each route declares the {@link RequiredRole} that it
 * needs. A route gets the authenticated caller from {@link Caller#of}.
 */
public final class HttpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final long STOP_TIMEOUT_MS = 10_000;
    private static final long IDLE_TIMEOUT_MS = 60_000;

    /** One year, as RFC 6797 §11.2 suggests. */
    private static final long STRICT_TRANSPORT_S = 365L * 24 * 3600;

    /**
     * A user id may contain any character, including an encoded slash, and remains one path segment. Invalid UTF-8 is
     * refused, because decoding with replacement characters would make different ids equal.
     */
    private static final UriCompliance URIS = UriCompliance.UNSAFE.without(
            "laurel",
            Violation.UTF16_ENCODINGS,
            Violation.BAD_UTF8_ENCODING,
            Violation.TRUNCATED_UTF8_ENCODING,
            Violation.BAD_PERCENT_ENCODING,
            Violation.USER_INFO);

    private final Javalin javalin;
    private final List<Routes> routes;
    private final SlowRequestGuard slowRequestGuard;
    private final HttpMeters meters;
    private final @Nullable ServerCertificate certificate;

    /**
     * Starts the server.
     *
     * @param keys checks the key of every request, except on public paths
     * @throws CommandFailed if the server cannot listen on the address or cannot use the certificate; the
     *         message gives the reason in one line
     */
    public HttpServer(HttpSettings settings, ApiKeys keys, List<Routes> routes) {
        Address address = settings.address();
        this.routes = List.copyOf(routes);
        this.meters = new HttpMeters(settings.metrics());
        this.certificate = settings.tls() == null ? null : new ServerCertificate(settings.tls());
        var requestFilter = new RequestFilter(keys, settings);
        this.javalin = Javalin.create(config -> {
            configure(config, meters);
            config.jetty.addConnector((server, http) -> connector(server, http, address, certificate));
            config.jetty.modifyServletContextHandler(handler -> configure(handler, settings, meters));
            config.requestLogger.http((context, tookMs) -> {
                TraceFilter.recordAnswer(context);
                meters.answered(context, tookMs);
                AccessLog.write(context, tookMs);
                MDC.remove(AccessLog.REQUEST_ID_IN_LOG);
            });
            config.routes.before(requestFilter::check);
            RouteTable table = new RouteTable(config.routes, settings.audit(), settings.isStrict())
                    .get("/metrics", RequiredRole.PUBLIC, meters::write);
            routes.forEach(part -> part.mount(table));
        });
        try {
            javalin.start(address.host(), address.port());
        } catch (JavalinException e) {
            // Javalin reports every failed bind as a port in use; the innermost cause has the real reason.
            closeIfThere(certificate);
            meters.close();
            Throwable reason = e;
            while (reason.getCause() != null) {
                reason = reason.getCause();
            }
            throw new CommandFailed(
                    "cannot listen on " + address.host() + ":" + address.port() + ": "
                            + (reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage()),
                    e);
        }
        this.slowRequestGuard = new SlowRequestGuard(
                settings.timeouts(), javalin.jettyServer().server().getConnectors());
    }

    /**
     * Creates the connector of the server. By TLS it sends Strict-Transport-Security; the server does not check the host name
     * against the certificate, which is the client's task.
     */
    private static ServerConnector connector(
            Server server, HttpConfiguration http, Address address, @Nullable ServerCertificate certificate) {
        var connector = new ServerConnector(server, protocols(http, certificate));
        connector.setHost(address.host());
        connector.setPort(address.port());
        if (address.held() != null) {
            try {
                connector.open(address.held());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return connector;
    }

    private static ConnectionFactory[] protocols(HttpConfiguration http, @Nullable ServerCertificate certificate) {
        if (certificate == null) {
            return new ConnectionFactory[] {new HttpConnectionFactory(http)};
        }
        http.addCustomizer(new SecureRequestCustomizer(false, false, STRICT_TRANSPORT_S, false));
        return new ConnectionFactory[] {
            new SslConnectionFactory(certificate.tls(), HttpVersion.HTTP_1_1.asString()),
            new HttpConnectionFactory(http)
        };
    }

    private static void closeIfThere(@Nullable ServerCertificate certificate) {
        if (certificate != null) {
            certificate.close();
        }
    }

    public int port() {
        return javalin.port();
    }

    /** What the mounted routes need, by method and path, such as {@code GET /v1/users/{id}}. */
    public SortedMap<String, RequiredRole> routes() {
        return javalin.unsafe.internalRouter.allHttpHandlers().stream()
                .map(parsed -> parsed.endpoint)
                .filter(endpoint -> endpoint.method.isHttpMethod())
                .collect(Collectors.toMap(
                        endpoint -> endpoint.method.name() + " " + endpoint.path,
                        RouteTable::accessOf,
                        (first, _) -> first,
                        TreeMap::new));
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
            server.setErrorHandler(new ErrorAnswers.JettyErrorHandler(meters));
        });
        config.jetty.modifyHttpConfiguration(http -> {
            http.setUriCompliance(URIS);
            http.setSendServerVersion(false);
            http.setIdleTimeout(IDLE_TIMEOUT_MS);
        });
        ErrorAnswers.configure(config);
    }

    private static void configure(ServletContextHandler handler, HttpSettings settings, HttpMeters meters) {
        handler.setErrorHandler(new ErrorAnswers.JettyErrorHandler(meters));
        var filters = new ArrayList<Filter>(List.of(meters::countInProgress));
        if (settings.tracing().isOn()) {
            filters.add(new TraceFilter(settings.tracing()));
        }
        filters.add(HttpServer::refuseWebSocket);
        filters.add(
                (request, response, chain) -> chain.doFilter(PlainMethod.of((HttpServletRequest) request), response));
        if (settings.adminHost() != null) {
            filters.add(new AdminHost(settings.adminHost()));
        }
        filters.forEach(filter -> handler.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST))
                .setAsyncSupported(true));
        handler.getServletHandler().setDecodeAmbiguousURIs(true);
    }

    /** Refuses WebSocket requests: Javalin would create a session for each of them before the key is checked. */
    private static void refuseWebSocket(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (((HttpServletRequest) request).getHeader("Sec-WebSocket-Version") == null) {
            chain.doFilter(request, response);
        } else {
            ((HttpServletResponse) response).sendError(404);
        }
    }

    /** Waits up to ten seconds for requests in progress, then stops the server. */
    @Override
    public void close() {
        routes.forEach(Routes::beginStop);
        try {
            javalin.stop();
        } catch (JavalinException e) {
            // The server has stopped nevertheless.
            if (!(e.getCause() instanceof TimeoutException)) {
                throw e;
            }
            LOG.warn("Closed connections whose requests were still in progress after ten seconds");
        } finally {
            slowRequestGuard.close();
            meters.close();
            closeIfThere(certificate);
        }
    }

    /**
     * Maps {@code /v1} to {@code /admin/v1} for requests to one host name, for clients that distinguish the two APIs by
     * host and not by path (docs/client-libraries.md §1).
     */
    record AdminHost(String name) implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            var http = (HttpServletRequest) request;
            String path = http.getRequestURI();
            boolean isForAdminApi =
                    (path.equals("/v1") || path.startsWith("/v1/")) && name.equalsIgnoreCase(http.getServerName());
            chain.doFilter(
                    isForAdminApi
                            ? new HttpServletRequestWrapper(http) {
                                @Override
                                public String getRequestURI() {
                                    return "/admin" + super.getRequestURI();
                                }
                            }
                            : request,
                    response);
        }
    }

    /**
     * Hides the method override header, and presents HEAD as GET. Javalin honours the header, so that a client could
     * send a DELETE through a proxy that only lets GET pass. Javalin also answers HEAD with 200 wherever a GET route
     * exists, even if GET would answer otherwise; here the GET route runs and the server omits the body.
     */
    static final class PlainMethod extends HttpServletRequestWrapper {

        private static final String OVERRIDE = "X-HTTP-Method-Override";

        private PlainMethod(HttpServletRequest request) {
            super(request);
        }

        /** Wraps the request if it has the override header or the method HEAD. */
        static HttpServletRequest of(HttpServletRequest request) {
            return request.getMethod().equals("HEAD") || request.getHeader(OVERRIDE) != null
                    ? new PlainMethod(request)
                    : request;
        }

        @Override
        public String getMethod() {
            String method = super.getMethod();
            return method.equals("HEAD") ? "GET" : method;
        }

        @Override
        public @Nullable String getHeader(String name) {
            return name.equalsIgnoreCase(OVERRIDE) ? null : super.getHeader(name);
        }
    }

    /**
     * Creates a span for each traced request, which covers the checks, the route and the response. Relies on each request
     * being handled on one thread. Installed only if tracing is on.
     */
    private record TraceFilter(Tracing tracing) implements Filter {

        private static final String SPAN = "laurel.span";
        private static final String TRACEPARENT = "traceparent";

        /** Methods that name spans. All others share one name, because a client may send any method. */
        private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

        private static final String OTHER = "_OTHER";

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            var http = (HttpServletRequest) request;
            if (isUntracedPeerCall(http)) {
                chain.doFilter(request, response);
                return;
            }
            Span span = tracing.request(
                    METHODS.contains(http.getMethod()) ? http.getMethod() : OTHER, http.getHeader(TRACEPARENT));
            if (span == Span.NONE) {
                chain.doFilter(request, response);
                return;
            }
            http.setAttribute(SPAN, span);
            try {
                chain.doFilter(request, response);
                if (http.getAttribute(SPAN) != null) {
                    // The request ended before it reached a route.
                    span.answered(null, ((HttpServletResponse) response).getStatus());
                }
            } catch (IOException | ServletException | RuntimeException | Error e) {
                span.failed(e);
                throw e;
            } finally {
                span.close();
            }
        }

        /**
         * Whether a peer sent the request and does not trace it. The first process decides whether a request is traced; the
         * others do not decide again.
         */
        private static boolean isUntracedPeerCall(HttpServletRequest request) {
            return request.getHeader(TRACEPARENT) == null
                    && (request.getHeader(PeerCalls.FORWARDED) != null
                            || request.getRequestURI().startsWith(PeerCalls.PATH));
        }

        /** Records the route and the status of an answered request in its span. */
        static void recordAnswer(Context context) {
            Span span = context.attribute(SPAN);
            if (span != null) {
                Endpoint endpoint = context.endpoints().matchedHttpEndpoint();
                span.answered(endpoint == null ? null : endpoint.path, context.statusCode());
                context.req().removeAttribute(SPAN);
            }
        }
    }
}
