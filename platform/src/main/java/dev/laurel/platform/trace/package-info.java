/**
 * Tracing as the services see it: spans, and the headers by which a trace crosses Kafka. The exporter is in the program; nothing here
 * knows OpenTelemetry.
 */
@NullMarked
package dev.laurel.platform.trace;

import org.jspecify.annotations.NullMarked;
