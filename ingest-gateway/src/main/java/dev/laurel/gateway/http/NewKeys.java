package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.admin.AccessEdit.NewKey;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The keys that a request asks for. They are made here and leave by the answer only: what goes into the log are hashes. For one
 * request and one thread.
 */
final class NewKeys {

    private final Supplier<ApiKey> mint;
    private final Map<String, ApiKey> byId = new HashMap<>();

    /** @param mint makes a new key at random */
    NewKeys(Supplier<ApiKey> mint) {
        this.mint = mint;
    }

    /** One for each item, each under an id of its own. */
    List<NewKey> forItems(List<Object> items) {
        var keys = new ArrayList<NewKey>();
        for (Object fields : items) {
            UUID id = UUID.randomUUID();
            ApiKey key = forId(id);
            keys.add(new NewKey(id, key.prefix(), key.hash(), fields));
        }
        return keys;
    }

    ApiKey forId(UUID id) {
        ApiKey key = mint.get();
        byId.put(id.toString(), key);
        return key;
    }

    /** The answer with the field {@code key} in what was created: the only time that anyone sees it. */
    Answer shownIn(Answer answer) {
        if (!(answer instanceof Answer.Replied(int status, byte[] body, var _)) || status >= 300) {
            return answer;
        }
        try {
            Map<String, Object> shown = Json.readForeignObject(body);
            if (shown.get("created") instanceof List<?> created) {
                shown.put("created", created.stream().map(this::withKey).toList());
                return new Answer.Replied(status, Json.write(shown));
            }
            return new Answer.Replied(status, Json.write(withKey(shown)));
        } catch (BadInputException e) {
            throw new IllegalStateException("the writer answered with what is no JSON object", e);
        }
    }

    private Map<String, Object> withKey(Object object) {
        var shown = new LinkedHashMap<String, Object>();
        ((Map<?, ?>) object).forEach((field, value) -> shown.put((String) field, value));
        shown.put("key", byId.get((String) shown.get("id")).text());
        return shown;
    }
}
