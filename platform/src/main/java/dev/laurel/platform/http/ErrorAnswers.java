package dev.laurel.platform.http;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.ErrorBody;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.UUID;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps failures to responses by the conventions of docs/application-api.md §1, always as {@code {"error": …}}. */
final class ErrorAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswers.class);

    private ErrorAnswers() {}

    static void configure(JavalinConfig config) {
        config.routes.exception(HttpRefusal.class, (e, context) -> Answers.refuse(context, e));
        config.routes.exception(
                BadInputException.class, (e, context) -> Answers.refuse(context, HttpRefusal.of(e.refusal())));
        config.routes.exception(HttpResponseException.class, ErrorAnswers::refuseRoute);
        config.routes.exception(Exception.class, (e, context) -> {
            if (isBrokenBody(e)) {
                Answers.error(context, 400, sentence(400));
                return;
            }
            LOG.error("Request {} failed; answered 500", context.res().getHeader(AccessLog.REQUEST_ID), e);
            Answers.error(context, 500, sentence(500));
        });
        config.router.javaLangErrorHandler((response, e) -> {
            LOG.error("Request {} failed; answered 500", response.getHeader(AccessLog.REQUEST_ID), e);
            response.setStatus(500);
            response.setContentType("application/json");
            try {
                response.getOutputStream().write(Json.write(new ErrorBody(sentence(500))));
            } catch (IOException io) {
                LOG.error("The answer to request {} could not be sent", response.getHeader(AccessLog.REQUEST_ID), io);
            }
        });
    }

    /**
     * Answers a request that no route of this process accepts. If the deployment has the path, but not with this
     * method, the answer is 405. A path such as {@code /v1/users/} may also be that of one object whose id is empty: it
     * is 404 for the methods of an object, since no object has an empty id.
     */
    private static void refuseRoute(HttpResponseException e, Context context) {
        int status = e.getStatus();
        String path = context.path();
        String method = context.req().getMethod();
        Set<String> methods = status == 404 || status == 405 ? DocumentedRoutes.methodsOf(path) : Set.of();
        if (path.endsWith("/") && DocumentedRoutes.methodsOf(path + "x").contains(method)) {
            status = 404;
        } else if (!methods.isEmpty() && !methods.contains(method)) {
            status = 405;
            context.header("Allow", String.join(", ", methods));
        } else if (e instanceof MethodNotAllowedResponse) {
            context.header("Allow", String.join(", ", e.getDetails().values()));
        }
        Answers.error(context, status, sentence(status));
    }

    /** Whether the failure came from reading a body that the client did not send as its headers announced. */
    static boolean isBrokenBody(Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof HttpException || cause instanceof EOFException) {
                return true;
            }
        }
        return false;
    }

    private static String sentence(int status) {
        return switch (status) {
            case 400 -> "The request is not valid HTTP, or its address is not valid percent-encoded UTF-8.";
            case 404 -> "No such route.";
            case 405 -> "This route does not have this method; see the header Allow.";
            case 413 -> "The body is too large: at most 1 MiB.";
            case 414 ->
                "The address is too long: it takes at most 8 KiB, with the headers. Send a long list in several calls.";
            case 431 -> "The headers are too large.";
            case 500 -> "Internal error; the request id is in the header " + AccessLog.REQUEST_ID + ".";
            default -> "The request is not acceptable.";
        };
    }

    /**
     * Writes JSON errors for requests that Jetty rejects before routing, such as malformed HTTP, invalid URIs and
     * oversized headers. Jetty itself would send an HTML page.
     */
    static final class JettyErrorHandler extends ErrorHandler {

        private final HttpMeters meters;

        JettyErrorHandler(HttpMeters meters) {
            this.meters = meters;
        }

        @Override
        public boolean errorPageForMethod(String method) {
            return true;
        }

        @Override
        protected void generateResponse(
                Request request, Response response, int status, String message, Throwable cause, Callback callback) {
            var headers = response.getHeaders();
            headers.put(HttpHeader.CONTENT_TYPE, "application/json");
            if (!headers.contains(AccessLog.REQUEST_ID)) {
                headers.put(AccessLog.REQUEST_ID, UUID.randomUUID().toString());
            }
            // An invalid URI has no path; its error may be read by any origin.
            String path = request.getHttpURI().getPath();
            if (path == null || !path.startsWith("/admin")) {
                headers.put(RequestFilter.ALLOW_ORIGIN, "*");
            }
            meters.unreadable(status);
            AccessLog.writeUnreadable(status, headers.get(AccessLog.REQUEST_ID));
            response.write(true, ByteBuffer.wrap(Json.write(new ErrorBody(sentence(status)))), callback);
        }
    }
}
