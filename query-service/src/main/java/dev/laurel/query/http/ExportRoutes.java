package dev.laurel.query.http;

import dev.laurel.query.read.ExportSink;
import dev.laurel.query.read.UserExports;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /admin/v1/users/{id}/export}: one JSON object, written while it is read. If that breaks off in the middle, what has
 * been sent is no JSON, for the status is sent by then.
 */
public final class ExportRoutes implements Routes {

    /** Most users fit, and so can still be answered with an error. */
    private static final int BUFFER_BYTES = 256 * 1024;

    private final UserExports exports;
    private final Relay relay;

    public ExportRoutes(UserExports exports, Relay relay) {
        this.exports = exports;
        this.relay = relay;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.get("/admin/v1/users/{id}/export", relay.ofExport(this::export));
    }

    private void export(Context context) throws IOException {
        UserKey user = UserReadRoutes.userOf(context);
        context.status(200).contentType("application/json");
        var out = new BufferedOutputStream(new Late(context), BUFFER_BYTES);
        JsonGenerator json = Json.mapperForTools().createGenerator(out);
        if (!exports.export(user, new Written(json))) {
            throw HttpRefusal.of(Refusal.unknownUser(user.user().value()));
        }
        json.flush();
        out.flush();
    }

    /** Touches the response when there is more than fits into the buffer before it. */
    private static final class Late extends OutputStream {
        private final Context context;

        Late(Context context) {
            this.context = context;
        }

        @Override
        public void write(int one) throws IOException {
            context.outputStream().write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            context.outputStream().write(bytes, from, length);
        }
    }

    /** The pieces as JSON. */
    private static final class Written implements ExportSink {
        private final JsonGenerator json;
        private final Deque<Boolean> areLists = new ArrayDeque<>();

        Written(JsonGenerator json) {
            this.json = json;
        }

        @Override
        public void put(String name, Object body) {
            name(name);
            json.writePOJO(body);
        }

        @Override
        public void beginObject(String name) {
            name(name);
            json.writeStartObject();
            areLists.push(false);
        }

        @Override
        public void beginList(String name) {
            name(name);
            json.writeStartArray();
            areLists.push(true);
        }

        @Override
        public void end() {
            if (areLists.pop()) {
                json.writeEndArray();
            } else {
                json.writeEndObject();
            }
        }

        private void name(String name) {
            if (name != null) {
                json.writeName(name);
            }
        }
    }
}
