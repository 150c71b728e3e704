/**
 * The HTTP server of every role and its conventions, in layers that only use those before: settings, refusals and what a route needs
 * ({@code HttpSettings}, {@code HttpRefusal}, {@code Access}); who calls ({@code PeerCalls}, {@code Sessions}, {@code Caller}); answers
 * and the names that each operation knows ({@code Answers}, {@code KnownNames}); the table of routes, which checks callers and writes
 * audit records ({@code RouteTable}); the filter of all requests ({@code RequestFilter}); and the server with its limits, TLS and meters
 * ({@code HttpServer}). {@code DocumentRoutes} serves the OpenAPI documents and JSON Schemas. Routes of the product are in the modules
 * that serve them.
 */
@NullMarked
package dev.laurel.platform.http;

import org.jspecify.annotations.NullMarked;
