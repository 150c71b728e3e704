package dev.laurel.gateway.http;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.ListParameter;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.List;

/** What requests of the bulk pattern have in common (admin-api.md A1). */
final class Bulk {

    static final int MAX_ITEMS = 100;
    static final String NO_UUID = "id must be a valid UUID";

    private Bulk() {}

    /** The items of the body, an array of 1 to 100; what they are is not looked at. */
    static List<Object> items(Context context) throws BadInputException {
        return counted(Json.readForeignArray(context.bodyAsBytes()), "The array", MAX_ITEMS);
    }

    /** @param name of the list, for the message */
    static <T> List<T> counted(List<T> items, String name, int max) {
        if (items.isEmpty() || items.size() > max) {
            throw new HttpRefusal(422, name + " must have 1 to " + max + " items, has " + items.size() + ".");
        }
        return items;
    }

    /** The query parameter {@code ids}, 1 to 100 of them. */
    static List<String> ids(Context context) {
        return ids(ListParameter.of(context, "ids"));
    }

    static List<String> ids(List<String> ids) {
        if (ids.isEmpty()) {
            throw new HttpRefusal(422, "ids is required: 1 to " + MAX_ITEMS + " ids, repeated or with commas between.");
        }
        return counted(ids, "ids", MAX_ITEMS);
    }

}
