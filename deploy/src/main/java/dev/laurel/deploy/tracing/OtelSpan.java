package dev.laurel.deploy.tracing;

import dev.laurel.platform.trace.Tracing.Span;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** A span of OpenTelemetry. Log lines of a thread carry the trace id of its current span. */
final class OtelSpan implements Span {

    /** Name of the trace id in log lines. */
    static final String TRACE_ID = "traceId";

    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    private final io.opentelemetry.api.trace.Span span;

    /** Null: the span is not the current one of a thread. */
    private final @Nullable Scope scope;

    /** Method of the request; null: the span is not of a request. */
    private final @Nullable String method;

    private OtelSpan(io.opentelemetry.api.trace.Span span, @Nullable Scope scope,
            @Nullable String method) {
        this.span = span;
        this.scope = scope;
        this.method = method;
    }

    static Span current(io.opentelemetry.api.trace.Span span, @Nullable String method) {
        if (!span.getSpanContext().isSampled()) {
            return NONE;
        }
        MDC.put(TRACE_ID, span.getSpanContext().getTraceId());
        return new OtelSpan(span, span.makeCurrent(), method);
    }

    static Span detached(io.opentelemetry.api.trace.Span span) {
        return new OtelSpan(span, null, null);
    }

    @Override
    public String traceparent() {
        SpanContext context = span.getSpanContext();
        return "00-" + context.getTraceId() + "-" + context.getSpanId() + "-" + context.getTraceFlags().asHex();
    }

    @Override
    public void answered(@Nullable String route, int status) {
        if (route != null) {
            span.updateName(method + " " + route);
            span.setAttribute(ROUTE, route);
        }
        span.setAttribute(STATUS, (long) status);
        if (status >= 500) {
            span.setStatus(StatusCode.ERROR);
            span.setAttribute(ERROR_TYPE, Integer.toString(status));
        }
    }

    @Override
    public void failed(Throwable cause) {
        span.setStatus(StatusCode.ERROR);
        span.setAttribute(ERROR_TYPE, cause.getClass().getName());
    }

    @Override
    public void close() {
        if (scope != null) {
            scope.close();
            MDC.remove(TRACE_ID);
        }
        span.end();
    }
}
