/**
 * Shared parts of commands: options, failures, output, access to Kafka and to servers, the lifecycle of serving
 * processes. The lowest package of this module: it must not use any other package of it.
 */
@NullMarked
package dev.laurel.deploy.cli;

import org.jspecify.annotations.NullMarked;
