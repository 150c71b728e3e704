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
        config.routes.exception(HttpRefusal.class, (e, context) -> refuse(context, e));
        config.routes.exception(BadInputException.class, (e, context) -> refuse(context, HttpRefusal.of(e.refusal())));
        config.routes.exception(HttpResponseException.class, HttpServer::refuseRoute);
        config.routes.exception(Exception.class, (e, context) -> {
            if (isBrokenBody(e)) {
                error(context, 400, sentence(400));
                return;
            }
            LOG.error("request {} failed", context.res().getHeader(REQUEST_ID), e);
            error(context, 500, sentence(500));
        });
        config.router.javaLangErrorHandler((response, e) -> {
            LOG.error("request {} failed", response.getHeader(REQUEST_ID), e);
            response.setStatus(500);
            response.setContentType("application/json");
            try {
                response.getOutputStream().write(Json.write(new ErrorBody(sentence(500))));
            } catch (IOException io) {
                LOG.error("request {} could not be answered", response.getHeader(REQUEST_ID), io);
            }
        });
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

    private static void receive(Context context, ApiKeys keys, HttpSettings settings) throws IOException {
        String given = context.header(REQUEST_ID);
        boolean isUsable = given != null && given.length() <= MAX_REQUEST_ID_LENGTH
                && given.chars().allMatch(c -> c > ' ' && c < 127);
        String id = isUsable ? given : UUID.randomUUID().toString();
        context.header(REQUEST_ID, id);
        MDC.put(REQUEST_ID_IN_LOG, id);
        if (Cors.isFor(context.path())) {
            Cors.allow(context);
            if (Cors.isPreflight(context)) {
                Cors.answerPreflight(context);
                context.skipRemainingHandlers();
                return;
            }
        }
        if (isOpen(context.path())) {
            return;
        }
        boolean isFromPeer = PeerCalls.isFromPeer(context, settings.peerKey());
        if (context.path().startsWith(PeerCalls.PATH)) {
            return;
        }
        String key = context.header("X-API-KEY");
        if (key == null || key.isEmpty()) {
            throw new HttpRefusal(401, "The header X-API-KEY is missing.");
        }
        ApiKeys.Grant grant = keys.grantOf(key, PeerCalls.tenantOf(context));
        if (grant == null) {
            throw new HttpRefusal(401, "The API key is not valid.");
        }
        AccessLog.note(context, grant.prefix());
        var caller = new Caller(grant);
        if (isAdmin(context.path())) {
            caller.expectAdmin();
        } else {
            caller.tenant();
        }
        caller.putOn(context);
        if (caller.hasTenant() && !isFromPeer) { // the peer has counted it
            limit(context, caller, settings.limits());
        }
        long announced = context.req().getContentLengthLong();
        long max = maxBodyBytes(context);
        if (announced > max) {
            if (announced <= MAX_DISCARDED_BYTES) {
                context.req().getInputStream().transferTo(OutputStream.nullOutputStream());
            }
            throw tooLarge(max);
        }
    }

    private static void limit(Context context, Caller caller, RequestLimits limits) {
        int retryAfterS = limits.retryAfterS(caller.tenant(), tierOf(context));
        if (retryAfterS > 0) {
            throw HttpRefusal.tooMany("Too many requests in this second. Nothing was stored; try again.", retryAfterS);
        }
    }

    private static RequestLimits.Tier tierOf(Context context) {
        String path = context.path();
        boolean isWrite = context.req().getMethod().equals("POST") && WRITES.matcher(path).matches();
        return isWrite ? RequestLimits.Tier.WRITE : RequestLimits.Tier.OTHER;
    }

    private static long maxBodyBytes(Context context) {
        return LARGER_BODIES.getOrDefault(withoutSlash(context.path()), MAX_BODY_BYTES);
    }

    private static HttpRefusal tooLarge(long max) {
        return new HttpRefusal(413, "The body is too large: at most " + max / MIB + " MiB.");
    }

    /** The body of a route that takes more than others do. @throws HttpRefusal 413 if it is even larger */
    public static byte[] largeBody(Context context) throws IOException {
        long max = maxBodyBytes(context);
        byte[] body = context.bodyInputStream().readNBytes(Math.toIntExact(max + 1));
        if (body.length > max) {
            throw tooLarge(max);
        }
        return body;
    }

    private static boolean isAdmin(String path) {
        return path.equals("/admin") || path.startsWith("/admin/");
    }

    private static boolean isOpen(String path) {
        return OPEN_PATHS.contains(withoutSlash(path)) || path.startsWith("/v1/schemas/")
                || path.startsWith("/unsubscribe/");
    }

    /** One at the end makes no other route. */
    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** No route takes it here. Another process may have the address: then only the method is wrong, if it is. */
    private static void refuseRoute(HttpResponseException e, Context context) {
        int status = e.getStatus();
        Set<String> methods = status == 404 || status == 405
                ? DocumentedRoutes.methodsOf(context.path())
                : Set.of();
        if (!methods.isEmpty() && !methods.contains(context.req().getMethod())) {
            status = 405;
            context.header("Allow", String.join(", ", methods));
        } else if (e instanceof MethodNotAllowedResponse) {
            context.header("Allow", String.join(", ", e.getDetails().values()));
        }
        error(context, status, sentence(status));
    }

    /** Thrown where a handler reads the body, and the client does not send it the way the head promised. */
    private static boolean isBrokenBody(Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof HttpException || cause instanceof EOFException) {
                return true;
            }
        }
        return false;
    }

    static String sentence(int status) {
        return switch (status) {
            case 400 -> "The request is not valid HTTP, or its address is not valid percent-encoded UTF-8.";
            case 404 -> "No such route.";
            case 405 -> "This route does not have this method; see the header Allow.";
            case 413 -> "The body is too large: at most 1 MiB.";
            case 414 -> "The address is too long.";
            case 431 -> "The headers are too large.";
            case 500 -> "Internal error; the request id is in the header " + REQUEST_ID + ".";
            default -> "The request is not acceptable.";
        };
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
