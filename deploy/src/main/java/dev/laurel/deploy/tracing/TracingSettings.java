package dev.laurel.deploy.tracing;

import java.net.URI;

/**
 * Destination and sampling of traces.
 *
 * @param endpoint collector that accepts OTLP over HTTP; null for no tracing
 * @param ratio share of requests that is traced unless the client has decided, 0 to 1
 */
record TracingSettings(URI endpoint, double ratio) {

    public static final TracingSettings OFF = new TracingSettings(null, 0);

    /** Path of traces at a collector. */
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

    /** Returns the URL of traces. As the standard says, an endpoint without that path is its base. */
    String tracesUrl() {
        String base = endpoint.toString().replaceFirst("/+$", "");
        return base.endsWith(TRACES_PATH) ? base : base + TRACES_PATH;
    }
}
