package dev.laurel.deploy.tracing;

import dev.laurel.deploy.cli.ProgramVersion;
import dev.laurel.deploy.tracing.TracingOptions.TracingSettings;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.platform.trace.Tracing.Span;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Tracing with OpenTelemetry. Spans wait in a bounded queue and are sent in the background; they are dropped while
 * the collector is unavailable. Attributes follow the semantic conventions, without those that identify a user.
 */
final class OtelTracing implements Tracing {

    private static final String SCOPE = "dev.laurel";
    private static final String TRACEPARENT = "traceparent";
    private static final long CLOSE_TIMEOUT_S = 5;

    private static final String REQUEST_METHOD = "http.request.method";

    /** The carrier is the header itself. */
    private static final TextMapGetter<String> HEADER = new TextMapGetter<>() {

        @Override
        public Iterable<String> keys(String traceparent) {
            return List.of(TRACEPARENT);
        }

        @Override
        public @Nullable String get(@Nullable String traceparent, String name) {
            return TRACEPARENT.equals(name) ? traceparent : null;
        }
    };

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    OtelTracing(String service, double ratio, SpanProcessor processor) {
        this.provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.builder()
                                .put("service.name", service)
                                .put("service.version", ProgramVersion.ofLaurel())
                                .put("service.instance.id", UUID.randomUUID().toString())
                                .build())))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(ratio)))
                .addSpanProcessor(processor)
                .build();
        this.tracer = provider.get(SCOPE);
    }

    /** @param service name of this process in traces */
    public static OtelTracing to(TracingSettings settings, String service) {
        var exporter =
                OtlpHttpSpanExporter.builder().setEndpoint(settings.tracesUrl()).build();
        return new OtelTracing(
                service, settings.ratio(), BatchSpanProcessor.builder(exporter).build());
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public Span request(String method, @Nullable String traceparent) {
        return OtelSpan.current(
                tracer.spanBuilder(method)
                        .setSpanKind(SpanKind.SERVER)
                        .setParent(remote(traceparent))
                        .setAttribute(REQUEST_METHOD, method),
                method);
    }

    @Override
    public Span sending(String topic) {
        return isSampled(Context.current())
                ? OtelSpan.detached(ofRecords("send", topic, SpanKind.PRODUCER))
                : Span.NONE;
    }

    @Override
    public Span processing(String topic, int partition, long offset, @Nullable String traceparent) {
        Context parent = remote(traceparent);
        return isSampled(parent)
                ? OtelSpan.current(
                        ofRecords("process", topic, SpanKind.CONSUMER)
                                .setParent(parent)
                                .setAttribute("messaging.destination.partition.id", Integer.toString(partition))
                                .setAttribute("messaging.kafka.offset", offset),
                        null)
                : Span.NONE;
    }

    private SpanBuilder ofRecords(String operation, String topic, SpanKind kind) {
        return tracer.spanBuilder(operation + " " + topic)
                .setSpanKind(kind)
                .setAttribute("messaging.system", "kafka")
                .setAttribute("messaging.operation.name", operation)
                .setAttribute("messaging.destination.name", topic);
    }

    @Override
    public Span calling(String method, String peer) {
        return isSampled(Context.current())
                ? OtelSpan.detached(tracer.spanBuilder(method)
                        .setSpanKind(SpanKind.CLIENT)
                        .setAttribute(REQUEST_METHOD, method)
                        .setAttribute("server.address", peer))
                : Span.NONE;
    }

    private static boolean isSampled(Context context) {
        return io.opentelemetry.api.trace.Span.fromContext(context)
                .getSpanContext()
                .isSampled();
    }

    @Override
    public <T> Supplier<T> carrying(Supplier<T> task) {
        return Context.current().wrapSupplier(task);
    }

    /**
     * Returns the context of the header, ignoring the current context of this thread: a request or a record belongs
     * to the trace that it names.
     */
    private static Context remote(@Nullable String traceparent) {
        return traceparent == null
                ? Context.root()
                : W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, HEADER);
    }

    @Override
    public void close() {
        provider.shutdown().join(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
    }

    /**
     * A span of OpenTelemetry. Log lines of a thread carry the trace id of its current span.
     *
     * @param scope null: the span is not the current one of a thread @param method of the request; null: the span is not of a request
     */
    record OtelSpan(
            io.opentelemetry.api.trace.Span span,
            @Nullable Scope scope,
            @Nullable String method) implements Span {

        /** Name of the trace id in log lines. */
        static final String TRACE_ID = "traceId";

        private static final String ERROR_TYPE = "error.type";

        static Span current(SpanBuilder builder, @Nullable String method) {
            io.opentelemetry.api.trace.Span span = builder.startSpan();
            if (!span.getSpanContext().isSampled()) {
                return NONE;
            }
            MDC.put(TRACE_ID, span.getSpanContext().getTraceId());
            return new OtelSpan(span, span.makeCurrent(), method);
        }

        static Span detached(SpanBuilder builder) {
            return new OtelSpan(builder.startSpan(), null, null);
        }

        @Override
        public String traceparent() {
            SpanContext context = span.getSpanContext();
            return "00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                    + context.getTraceFlags().asHex();
        }

        @Override
        public void answered(@Nullable String route, int status) {
            if (route != null) {
                span.updateName(method + " " + route);
                span.setAttribute("http.route", route);
            }
            span.setAttribute("http.response.status_code", status);
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
}
