/**
 * What commands have in common: options, failures, output, access to Kafka and to servers, the lifecycle of serving
 * processes. The lowest package of this module: it must not use any other package of it.
 */
package dev.laurel.deploy.cli;
