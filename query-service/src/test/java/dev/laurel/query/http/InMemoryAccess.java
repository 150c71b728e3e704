package dev.laurel.query.http;

import dev.laurel.platform.access.EmailToken;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;

/** An index with the key of links in emails, which is always complete. */
final class InMemoryAccess implements AccessView {

    private final AccessIndex index = InMemoryAccessStore.index();

    InMemoryAccess() {
        this("0123");
    }

    /** @param key of the links of emails */
    InMemoryAccess(String key) {
        var secret = new Secret(TenantId.NONE, Secret.CHANNELS, Secret.UNSUBSCRIBE, key);
        index.put(secret.recordKey(), secret);
    }

    /** The path of the link in emails to a user. */
    String linkOf(UserKey user) {
        return "/unsubscribe/" + EmailToken.toUnsubscribe(user, index);
    }

    @Override
    public AccessIndex index() {
        return index;
    }

    @Override
    public boolean awaitNewest(Duration timeout) {
        return true;
    }
}
