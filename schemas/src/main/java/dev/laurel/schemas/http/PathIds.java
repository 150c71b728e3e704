package dev.laurel.schemas.http;

import io.javalin.http.Context;
import java.util.UUID;

/** Ids in paths (admin-api.md A1). */
public final class PathIds {

    private PathIds() {}

    /** @throws HttpRefusal 422 if it is no UUID */
    public static UUID of(Context context, String name) {
        String text = context.pathParam(name);
        try {
            UUID id = UUID.fromString(text);
            if (id.toString().equalsIgnoreCase(text)) {
                return id;
            }
        } catch (IllegalArgumentException _) {
            // said below
        }
        throw new HttpRefusal(422, name + " in the path must be a valid UUID.");
    }
}
