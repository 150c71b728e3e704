package dev.laurel.deploy.tracing;

import java.net.URI;

/**
 * Where spans go, and of which requests.
 *
 * @param endpoint of a collector that speaks OTLP by HTTP; null: nothing is followed
 * @param ratio of the requests that are followed among those whose client has not decided, 0 to 1
 */
public record TracingSettings(URI endpoint, double ratio) {

    public static final TracingSettings OFF = new TracingSettings(null, 0);

    /** What a collector calls the path of its traces. */
    private static final String TRACES_PATH = "/v1/traces";

    public TracingSettings {
        boolean isWeb = endpoint == null
                || ("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme()))
                        && endpoint.getHost() != null;
        if (!isWeb) {
            throw new IllegalArgumentException(
                    "the OTLP endpoint must be an http or https URL, like http://127.0.0.1:4318, is " + endpoint);
        }
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException("the ratio of traces must be from 0 to 1, is " + ratio);
        }
    }

    public boolean isOn() {
        return endpoint != null;
    }

    /** As the standard has it: an endpoint without the path of traces is the base of it. */
    String tracesUrl() {
        String base = endpoint.toString().replaceFirst("/+$", "");
        return base.endsWith(TRACES_PATH) ? base : base + TRACES_PATH;
    }
}
