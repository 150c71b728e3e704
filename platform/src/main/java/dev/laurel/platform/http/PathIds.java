package dev.laurel.platform.http;

import dev.laurel.schemas.input.Uuids;
import io.javalin.http.Context;
import java.util.UUID;

/** Reads ids in paths (docs/admin-api.md A1). */
public final class PathIds {

    private PathIds() {}

    /** @throws HttpRefusal 422 if the parameter is not a UUID */
    public static UUID of(Context context, String name) {
        UUID id = Uuids.parse(context.pathParam(name));
        if (id == null) {
            throw new HttpRefusal(422, name + " in the path must be a valid UUID.");
        }
        return id;
    }
}
