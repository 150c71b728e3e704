package dev.laurel.schemas.http;

import dev.laurel.schemas.trace.Span;
import dev.laurel.schemas.trace.Tracing;
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
 * Makes a span of each request that is followed, from before anything is decided about it to after its answer; a request is
 * handled on one thread. Only there where tracing is on.
 */
final class TraceFilter implements Filter {

    private static final String SPAN = "laurel.span";
    private static final String TRACEPARENT = "traceparent";

    /** Others are one: a span is named by its method, and whoever asks may make methods up. */
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
        if (isUnfollowedCallOfPeer(http)) {
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
                // Ended before it came to any route.
                span.answered(null, ((HttpServletResponse) response).getStatus());
            }
        } catch (IOException | ServletException | RuntimeException | Error e) {
            span.failed(e);
            throw e;
        } finally {
            span.close();
        }
    }

    /** Where the request came in first it was decided that nobody follows it: that is not decided anew here. */
    private static boolean isUnfollowedCallOfPeer(HttpServletRequest request) {
        return request.getHeader(TRACEPARENT) == null && (request.getHeader(PeerCalls.FORWARDED) != null
                || request.getRequestURI().startsWith(PeerCalls.PATH));
    }

    /** The request has been answered: by which route, is known here. */
    static void note(Context context) {
        Span span = context.attribute(SPAN);
        if (span != null) {
            Endpoint endpoint = context.endpoints().matchedHttpEndpoint();
            span.answered(endpoint == null ? null : endpoint.path, context.statusCode());
            context.req().removeAttribute(SPAN);
        }
    }
}
