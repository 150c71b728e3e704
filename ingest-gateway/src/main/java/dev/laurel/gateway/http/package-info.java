/**
 * The routes that write, one class per resource. They read a request, send it through the log and write the result. {@code Replays} are
 * what the routes of replays need of another module. Only this package uses Javalin; it must not use Kafka.
 */
@NullMarked
package dev.laurel.gateway.http;

import org.jspecify.annotations.NullMarked;
