package dev.laurel.deploy.tracing;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.platform.trace.Tracing;
import java.net.URI;
import picocli.CommandLine.Option;

/** Options for tracing, the same for every process that serves. */
public final class TracingOptions {

    @Option(names = "--otlp-endpoint", paramLabel = "URL", defaultValue = "${env:OTEL_EXPORTER_OTLP_ENDPOINT:-}", description = "Send traces to this OpenTelemetry collector, by OTLP over HTTP, like http://127.0.0.1:4318 (default: $OTEL_EXPORTER_OTLP_ENDPOINT; none: no traces).")
    private String endpoint;

    @Option(names = "--trace-ratio", paramLabel = "RATIO", defaultValue = "0.01", description = "Share of requests that is traced, 0 to 1, unless the client has decided by a traceparent header (default: ${DEFAULT-VALUE}).")
    private double ratio;

    /**
     * Starts tracing; the caller closes it.
     *
     * @param service name of this process in traces
     * @throws CommandFailed naming the option that is out of range
     */
    public Tracing start(String service) {
        TracingSettings settings = settings();
        return settings.isOn() ? OtelTracing.to(settings, service) : Tracing.NONE;
    }

    TracingSettings settings() {
        if (endpoint == null || endpoint.isBlank()) {
            return TracingSettings.OFF;
        }
        try {
            return new TracingSettings(URI.create(endpoint.strip()), ratio);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("--otlp-endpoint or --trace-ratio: " + e.getMessage(), e);
        }
    }
}
