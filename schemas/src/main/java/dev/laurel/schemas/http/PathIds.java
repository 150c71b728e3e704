package dev.laurel.schemas.http;

import dev.laurel.schemas.key.Uuids;
import io.javalin.http.Context;
import java.util.UUID;

/** Ids in paths (admin-api.md A1). */
public final class PathIds {

    private PathIds() {}

    /** @throws HttpRefusal 422 if it is no UUID */
    public static UUID of(Context context, String name) {
        UUID id = Uuids.parse(context.pathParam(name));
        if (id == null) {
            throw new HttpRefusal(422, name + " in the path must be a valid UUID.");
        }
        return id;
    }
}
