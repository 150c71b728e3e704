package dev.laurel.processors.store.users;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the users of one tenant in a store of users, some at a time. The users of a tenant are a range of keys. Users without a tenant
 * lie between these ranges; reading them skips each range by one search, however many users it has.
 */
final class TenantUsers {

    /** Below all keys of users: no key is empty or begins with a zero. */
    private static final byte[] BELOW_ALL = {0};

    private TenantUsers() {}

    /** Begins the keys of the tenant's users; empty for {@link TenantId#NONE}. */
    static byte[] prefixOf(TenantId tenant) {
        return UserKey.prefixOf(tenant).getBytes(UTF_8);
    }

    /** Not above the keys of the tenant's users. */
    static Bytes firstOf(TenantId tenant) {
        byte[] prefix = prefixOf(tenant);
        return Bytes.wrap(prefix.length == 0 ? BELOW_ALL : prefix);
    }

    /**
     * The users from a key on.
     *
     * @param prefix with which the keys of the wanted users of the tenant begin
     * @param from not below it
     * @param limit of users, and of ranges of tenants that are skipped, together
     */
    static <T> UserStores.Page<T> page(
            ReadOnlyKeyValueStore<Bytes, byte[]> users,
            TenantId tenant,
            byte[] prefix,
            Bytes from,
            int limit,
            Function<KeyValue<Bytes, byte[]>, T> reader) {
        Bytes end = prefix.length == 0 ? null : StoreKeys.afterAllWith(prefix.clone());
        boolean isMixed = tenant.equals(TenantId.NONE);
        var found = new ArrayList<T>();
        Bytes next = from;
        for (int skipped = 0; next != null && found.size() + skipped < limit; skipped++) {
            next = read(users, next, end, isMixed, limit - skipped, found, reader);
        }
        return new UserStores.Page<>(found, next);
    }

    /**
     * Reads up to the limit, or to the range of a tenant among users without one.
     *
     * @param isMixed whether there are such ranges
     * @return where to go on; null: at the end
     */
    private static <T> @Nullable Bytes read(
            ReadOnlyKeyValueStore<Bytes, byte[]> users,
            Bytes from,
            @Nullable Bytes end,
            boolean isMixed,
            int limit,
            List<T> found,
            Function<KeyValue<Bytes, byte[]>, T> reader) {
        if (end != null && from.compareTo(end) >= 0) {
            return null;
        }
        try (KeyValueIterator<Bytes, byte[]> entries = users.range(from, end)) {
            Bytes last = null;
            while (entries.hasNext()) {
                if (found.size() >= limit) {
                    return last == null ? from : StoreKeys.after(last);
                }
                KeyValue<Bytes, byte[]> entry = entries.next();
                if (end != null && entry.key.compareTo(end) >= 0) {
                    return null; // a range includes its end, which may be the key of a user
                }
                int slash = isMixed ? slashIn(entry.key) : -1;
                if (slash >= 0) {
                    return StoreKeys.afterAllWith(Arrays.copyOf(entry.key.get(), slash + 1));
                }
                found.add(reader.apply(entry));
                last = entry.key;
            }
            return null;
        }
    }

    /** Where the tenant ends in the key of a user; -1: the user has none. A '/' inside an id is escaped, see {@link UserKey}. */
    private static int slashIn(Bytes user) {
        byte[] bytes = user.get();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '/') {
                return i;
            }
        }
        return -1;
    }
}
