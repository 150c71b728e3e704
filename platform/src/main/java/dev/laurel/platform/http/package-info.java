/**
 * The HTTP server of every role and its conventions. The classes form layers, of which each uses only those above it:
 *
 * <ol>
 * <li>settings, refusals and required roles: {@code HttpSettings}, {@code HttpRefusal}, {@code RequiredRole}
 * <li>callers: {@code PeerCalls}, {@code Sessions}, {@code Caller}
 * <li>answers, and the names that each operation knows: {@code Answers}, {@code KnownNames}
 * <li>the table of routes, which checks callers and writes audit records: {@code RouteTable}
 * <li>the filter of all requests: {@code RequestFilter}
 * <li>the server with its limits, TLS and meters: {@code HttpServer}
 * </ol>
 *
 * <p>{@code DocumentRoutes} serves the OpenAPI documents and JSON Schemas. The modules of the product have the other routes.
 */
@NullMarked
package dev.laurel.platform.http;

import org.jspecify.annotations.NullMarked;
