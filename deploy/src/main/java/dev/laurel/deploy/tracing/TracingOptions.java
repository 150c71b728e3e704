package dev.laurel.deploy.tracing;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.trace.Tracing;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for tracing, the same for every process that serves. */
public final class TracingOptions {

    @Option(
            names = "--otlp-endpoint",
            paramLabel = "URL",
            defaultValue = "${env:OTEL_EXPORTER_OTLP_ENDPOINT:-}",
            description = "Send traces to this OpenTelemetry collector, by OTLP over HTTP, like http://127.0.0.1:4318"
                    + " (default: $OTEL_EXPORTER_OTLP_ENDPOINT; none: no traces).")
    private @Nullable String endpoint;

    @Option(
            names = "--trace-ratio",
            paramLabel = "RATIO",
            defaultValue = "0.01",
            description =
                    "Share of requests that is traced, 0 to 1, unless the client has decided by a traceparent header"
                            + " (default: ${DEFAULT-VALUE}).")
    private double ratio;

    /**
     * Starts tracing; the caller closes it.
     *
     * @param service name of this process in traces
     * @throws CommandFailed naming the option that is out of range
     */
    public Tracing start(String service) {
        TracingSettings settings = settings();
        return settings == null ? Tracing.NONE : OtelTracing.to(settings, service);
    }

    /** Returns the settings; null: no tracing. */
    @Nullable
    TracingSettings settings() {
        String url = endpoint == null ? "" : endpoint.strip();
        return url.isEmpty()
                ? null
                : CommandFailed.attempt(
                        "--otlp-endpoint or --trace-ratio", () -> new TracingSettings(URI.create(url), ratio));
    }

    /**
     * Destination and sampling of traces.
     *
     * @param endpoint collector that accepts OTLP over HTTP
     * @param ratio share of requests that is traced unless the client has decided, 0 to 1
     */
    record TracingSettings(URI endpoint, double ratio) {

        /** Path of traces at a collector. */
        private static final String TRACES_PATH = "/v1/traces";

        TracingSettings {
            if (!AdminApiClient.isHttp(endpoint)) {
                throw new IllegalArgumentException(
                        "the OTLP endpoint must be an http or https URL, like http://127.0.0.1:4318, is " + endpoint);
            }
            if (!(ratio >= 0 && ratio <= 1)) {
                throw new IllegalArgumentException("the ratio of traces must be from 0 to 1, is " + ratio);
            }
        }

        /** Returns the URL of traces. As the standard says, an endpoint without that path is its base. */
        String tracesUrl() {
            String base = endpoint.toString().replaceFirst("/+$", "");
            return base.endsWith(TRACES_PATH) ? base : base + TRACES_PATH;
        }
    }
}
