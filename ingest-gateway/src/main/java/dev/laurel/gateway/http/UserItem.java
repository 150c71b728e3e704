package dev.laurel.gateway.http;

import dev.laurel.schemas.admin.Item;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An item of a bulk request about one user. It becomes a command of the log by being written as one and read back: what may
 * stand in a field is decided by the reader of the log alone.
 */
record UserItem(Map<?, ?> fields, UserKey user) {

    /** @param userField the field that names the user */
    static UserItem read(Caller caller, Object json, String userField) throws BadInputException {
        Item item = Item.of(json);
        String id = item.requiredText(userField);
        String problem = UserId.problemWith(id);
        if (problem != null) {
            throw new BadInputException(Refusal.invalid(userField + " " + problem));
        }
        return new UserItem((Map<?, ?>) json, caller.userKey(new UserId(id)));
    }

    /** What an issue names, read leniently; null if there is none. */
    static String userIdOf(Object json, String userField) {
        return json instanceof Map<?, ?> fields && fields.get(userField) instanceof String id ? id : null;
    }

    /**
     * @param ours fields that we say ourselves
     * @param theirs names of the fields that are taken over
     */
    UserCommand command(String type, Map<String, Object> ours, List<String> theirs) throws BadInputException {
        var command = new LinkedHashMap<String, Object>();
        command.put("type", type);
        command.put("user", Map.of("id", user.user().value()));
        command.putAll(ours);
        theirs.forEach(name -> command.put(name, fields.get(name)));
        return (UserCommand) CommandJson.read(Json.write(command));
    }
}
