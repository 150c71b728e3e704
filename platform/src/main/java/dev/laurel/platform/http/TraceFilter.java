package dev.laurel.platform.http;

import dev.laurel.platform.trace.Span;
import dev.laurel.platform.trace.Tracing;
import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;

/**
 * Creates a span for each traced request, which covers the checks, the route and the response. Relies on each request
 * being handled on one thread. Installed only if tracing is on.
 */
final class TraceFilter implements Filter {

    private static final String SPAN = "laurel.span";
    private static final String TRACEPARENT = "traceparent";

    /** Methods that name spans. All others share one name, because a client may send any method. */
    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");
    private static final String OTHER = "_OTHER";

    private final Tracing tracing;

    TraceFilter(Tracing tracing) {
        this.tracing = tracing;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var http = (HttpServletRequest) request;
        if (isUntracedPeerCall(http)) {
            chain.doFilter(request, response);
            return;
        }
        Span span = tracing.request(METHODS.contains(http.getMethod()) ? http.getMethod() : OTHER,
                http.getHeader(TRACEPARENT));
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
        return request.getHeader(TRACEPARENT) == null && (request.getHeader(PeerCalls.FORWARDED) != null
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
