/**
 * The HTTP server of every role and its conventions: callers, limits, TLS, CORS, request ids, error bodies, the
 * served OpenAPI documents and JSON Schemas. Routes of the product are in the modules that serve them.
 */
@NullMarked
package dev.laurel.platform.http;

import org.jspecify.annotations.NullMarked;
