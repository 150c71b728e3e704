package dev.laurel.gateway.http;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.schemas.admin.RequestFields;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.edit.Edit.NewItem;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the requests of the bulk pattern: 1 to 100 items or ids (docs/admin-api.md A1). */
final class BulkInput {

    static final String NO_UUID = "id must be a valid UUID";

    static final int MAX_ITEMS = 100;

    private BulkInput() {}

    /** The items of the body, which must be an array. The items themselves are not checked. */
    static List<Object> items(Context context) throws BadInputException {
        return counted(Json.readForeignArray(context.bodyAsBytes()), "The array");
    }

    /** The items of the body, with a new id for each. */
    static List<NewItem> newItems(Context context) throws BadInputException {
        return items(context).stream()
                .map(item -> new NewItem(UUID.randomUUID(), item))
                .toList();
    }

    /** The items of a field of the body. */
    static List<Object> items(Map<String, Object> body, String field) {
        if (body.get(field) instanceof List<?> list) {
            return counted(new ArrayList<>(list), field);
        }
        throw new HttpRefusal(400, field + " is required: an array of 1 to " + MAX_ITEMS + " items.");
    }

    /** The query parameter {@code ids}. */
    static List<String> ids(Context context) {
        List<String> ids = RequestParameters.list(context, "ids");
        if (ids.isEmpty()) {
            throw new HttpRefusal(422, "ids is required: 1 to " + MAX_ITEMS + " ids, repeated or with commas between.");
        }
        return counted(ids, "ids");
    }

    private static <T> List<T> counted(List<T> items, String name) {
        if (items.isEmpty() || items.size() > MAX_ITEMS) {
            throw new HttpRefusal(422, name + " must have 1 to " + MAX_ITEMS + " items, has " + items.size() + ".");
        }
        return items;
    }

    /** The id of a user, for an issue; null if the field is missing or is not text. */
    static @Nullable String userIdOf(Object item, String userField) {
        return item instanceof Map<?, ?> fields && fields.get(userField) instanceof String id ? id : null;
    }

    /**
     * An item about one user. To become a command, it is written as a record of the log and read back, so that only the reader of
     * the log defines what a field may contain.
     */
    record UserItem(Map<?, ?> fields, UserKey user) {

        /** @param userField the field that names the user */
        static UserItem read(Caller caller, Object json, String userField) throws BadInputException {
            RequestFields item = RequestFields.of(json);
            String id = item.requiredText(userField);
            String problem = UserId.problemWith(id);
            if (problem != null) {
                throw BadInputException.invalid(userField + " " + problem);
            }
            return new UserItem((Map<?, ?>) json, caller.userKey(new UserId(id)));
        }

        /**
         * @param added fields that the gateway sets
         * @param copied names of the fields that are copied from the item
         */
        UserCommand command(String type, Map<String, Object> added, List<String> copied) throws BadInputException {
            var command = new LinkedHashMap<String, Object>();
            command.put("type", type);
            command.put("user", Map.of("id", user.user().value()));
            command.putAll(added);
            copied.forEach(name -> command.put(name, fields.get(name)));
            return (UserCommand) CommandJson.read(Json.write(command));
        }
    }
}
