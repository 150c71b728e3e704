package dev.laurel.deploy.tracing;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.trace.Tracing;
import java.net.URI;
import picocli.CommandLine.Option;

/** Whether requests are followed: the same options for every process that serves. */
public final class TracingOptions {

    @Option(names = "--otlp-endpoint", paramLabel = "URL", defaultValue = "${env:OTEL_EXPORTER_OTLP_ENDPOINT:-}", description = "Send traces to this OpenTelemetry collector, by OTLP over HTTP, like http://127.0.0.1:4318 (default: $OTEL_EXPORTER_OTLP_ENDPOINT; none: no traces).")
    private String endpoint;

    @Option(names = "--trace-ratio", paramLabel = "RATIO", defaultValue = "0.01", description = "Part of the requests that is traced, 0 to 1, where the client has not decided by a traceparent header (default: ${DEFAULT-VALUE}).")
    private double ratio;

    /**
     * Ready to follow requests; to be closed by the caller.
     *
     * @param service what this process is called among those whose spans the collector shows
     * @throws CommandFailed naming the option that says something impossible
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
