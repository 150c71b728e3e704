package dev.laurel.schemas.http;

import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.ErrorBody;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers for Jetty where a request does not get as far as a route: what is no HTTP, a bad address, too long a head.
 * Jetty's own answer would be an HTML page.
 */
final class JsonErrorHandler extends ErrorHandler {

    private final HttpMeters meters;

    JsonErrorHandler(HttpMeters meters) {
        this.meters = meters;
    }

    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(Request request, Response response, int status, String message, Throwable cause,
            Callback callback) {
        var headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "application/json");
        if (!headers.contains(HttpServer.REQUEST_ID)) {
            headers.put(HttpServer.REQUEST_ID, UUID.randomUUID().toString());
        }
        // What is no address has no path, and nothing to hide.
        String path = request.getHttpURI().getPath();
        if (path == null || !path.startsWith("/admin")) {
            headers.put(Cors.ALLOW_ORIGIN, "*");
        }
        meters.unreadable(status);
        AccessLog.writeUnreadable(status, headers.get(HttpServer.REQUEST_ID));
        response.write(true, ByteBuffer.wrap(Json.write(new ErrorBody(ErrorAnswers.sentence(status)))), callback);
    }
}
