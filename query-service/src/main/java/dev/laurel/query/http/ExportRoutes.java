package dev.laurel.query.http;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Relay.Subject;
import dev.laurel.query.read.UserExports;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /admin/v1/users/{id}/export}: one JSON object, written while the user is read. If the read fails in the middle, the
 * body is incomplete JSON, because the response has begun by then.
 */
record ExportRoutes(UserExports exports, Relay relay) implements Routes {

    /** The size of most exports: until the buffer is full, an error can still replace the response. */
    private static final int BUFFER_BYTES = 256 * 1024;

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/users/{id}/export", RequiredRole.SUPPORT, relay.wrap(Subject.EXPORT, this::export));
    }

    private void export(Context context) throws IOException {
        UserKey user = UserReadRoutes.userOf(context);
        context.status(200).contentType("application/json");
        var out = new BufferedOutputStream(new LazyOutput(context), BUFFER_BYTES);
        JsonGenerator json = Json.mapperForTools().createGenerator(out);
        if (!exports.export(user, json)) {
            throw HttpRefusal.of(Refusal.unknown("user", user.user().value()));
        }
        json.flush();
        out.flush();
    }

    /** Opens the response when the first bytes arrive from the buffer, and does not close it. */
    static final class LazyOutput extends OutputStream {
        private final Context context;

        LazyOutput(Context context) {
            this.context = context;
        }

        @Override
        public void write(int one) throws IOException {
            context.res().getOutputStream().write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            context.res().getOutputStream().write(bytes, from, length);
        }
    }
}
