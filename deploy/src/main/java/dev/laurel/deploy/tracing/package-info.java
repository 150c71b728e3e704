/** Tracing with OpenTelemetry, behind the tracing interface of the platform. No other package uses OpenTelemetry. */
@NullMarked
package dev.laurel.deploy.tracing;

import org.jspecify.annotations.NullMarked;
