package dev.laurel.platform.http;

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
 * Writes JSON errors for requests that Jetty rejects before routing, such as malformed HTTP, invalid URIs and oversized
 * headers. Jetty itself would send an HTML page.
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
        // An invalid URI has no path; its error may be read by any origin.
        String path = request.getHttpURI().getPath();
        if (path == null || !path.startsWith("/admin")) {
            headers.put(Cors.ALLOW_ORIGIN, "*");
        }
        meters.unreadable(status);
        AccessLog.writeUnreadable(status, headers.get(HttpServer.REQUEST_ID));
        response.write(true, ByteBuffer.wrap(Json.write(new ErrorBody(ErrorAnswers.sentence(status)))), callback);
    }
}
