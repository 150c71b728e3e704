package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessIndex.KeyPage;
import dev.laurel.schemas.access.AccessIndex.KeyPlace;
import dev.laurel.schemas.access.AccessIndex.KeyRange;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Application keys, times of use and secrets in memory, for a few keys. */
public final class InMemoryAccessStore implements AccessIndex.Records {

    private static final Comparator<ApplicationKey> BY_PLACE = Comparator.comparing(
                    (ApplicationKey key) -> key.created().toEpochMilli())
            .thenComparing(key -> key.id().toString());

    private final Map<String, AccessRecord> byKey = new ConcurrentHashMap<>();

    /** An index whose records are all in memory. */
    public static AccessIndex index() {
        return new AccessIndex(new InMemoryAccessStore());
    }

    @Override
    public void put(String recordKey, @Nullable AccessRecord record) {
        switch (record) {
            case null -> byKey.remove(recordKey);
            case LastUsed used ->
                byKey.merge(
                        recordKey,
                        used,
                        (a, _) -> a instanceof LastUsed(UUID _, Instant at) && at.isAfter(used.at()) ? a : used);
            default -> byKey.put(recordKey, record);
        }
    }

    private <T> Stream<T> all(Class<T> type) {
        return byKey.values().stream().filter(type::isInstance).map(type::cast);
    }

    @Override
    public @Nullable ApplicationKey applicationKey(UUID id) {
        return (ApplicationKey) byKey.get("application-key/" + id);
    }

    @Override
    public @Nullable ApplicationKey applicationKeyOf(String prefix) {
        return all(ApplicationKey.class)
                .filter(key -> key.prefix().equals(prefix))
                .findFirst()
                .orElse(null);
    }

    @Override
    public KeyPage applicationKeys(TenantId tenant, KeyRange range) {
        UserId user = range.user();
        KeyPlace after = range.after();
        List<ApplicationKey> following = all(ApplicationKey.class)
                .filter(key -> key.tenant().equals(tenant)
                        && (user == null || key.userId().equals(user)))
                .sorted(BY_PLACE)
                .dropWhile(key -> after != null && !isAfter(key, after))
                .toList();
        int skipped = Math.min(range.skip(), following.size());
        int end = skipped + Math.min(range.limit(), following.size() - skipped);
        return new KeyPage(following.subList(skipped, end), skipped);
    }

    private static boolean isAfter(ApplicationKey key, KeyPlace place) {
        long createdMs = key.created().toEpochMilli();
        return createdMs > place.createdMs()
                || createdMs == place.createdMs()
                        && key.id().toString().compareTo(place.id().toString()) > 0;
    }

    @Override
    public @Nullable Instant lastUsed(UUID keyId) {
        return byKey.get(AccessRecord.lastUsedKey(keyId)) instanceof LastUsed used ? used.at() : null;
    }

    @Override
    public @Nullable Secret secret(String recordKey) {
        return (Secret) byKey.get(recordKey);
    }
}
