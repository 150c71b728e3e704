/** Tracing with OpenTelemetry, behind the tracing interface of the platform. No other package uses OpenTelemetry. */
package dev.laurel.deploy.tracing;
